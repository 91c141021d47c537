import type { Notification } from '../../schema/notification.ts';
import { restated } from '../questions/answer-text.ts';
import type { Form, FormResult } from '../questions/forms.ts';
import { type Action, emit, send } from './dialogue.ts';
import * as wire from './wire.ts';

/** The stage of a question on its way to a person and back. */
type Stage =
  /** Known before its permission is requested; the run can still be parked on it. */
  | { at: 'hook'; requestId: string }
  /** The hook let it pass; the permission request has not come yet. */
  | { at: 'between' }
  | { at: 'request'; requestId: string }
  /** The run ends with this question open. */
  | { at: 'deferred' }
  /** Answered; the agent has not yet shown that it has the answer. */
  | { at: 'sent'; requestId: string };

interface OpenAsk {
  id: string;
  form: Form;
  stage: Stage;
  /** Asked with our own tool, by any thread; the answer is the result of the call. */
  isOurTool: boolean;
  settled?: Notification;
}

/** An answer that we sent, but that the agent did not take. */
interface LostAnswer {
  id: string;
  settled: Notification;
}

/** The questions that one process waits for, from the question until the process has the answer. Several may be open at once. */
export class OpenAsks {
  readonly #asks = new Map<string, OpenAsk>();

  /** How many calls of the agent's own turn are waiting. */
  get inTurn(): number {
    return [...this.#asks.values()].filter(({ isOurTool }) => !isOurTool).length;
  }

  /** A person has to answer before the agent can continue. */
  get isWaiting(): boolean {
    return [...this.#asks.values()].some(({ settled }) => settled === undefined);
  }

  has(id: string): boolean {
    return this.#asks.has(id);
  }

  open(
    id: string,
    stage: Extract<Stage, { at: 'hook' | 'request' }>,
    form: Form,
    { isOurTool = false } = {},
  ): void {
    this.#asks.set(id, { id, form, stage, isOurTool });
  }

  /** Our own tool was called: returns its answer, if there is one yet. */
  taken(id: string): Notification | undefined {
    const settled = this.#asks.get(id)?.settled;
    if (settled) this.#asks.delete(id);
    return settled;
  }

  /** The permission request of a question that is known from its hook; the question may already be settled. */
  requested(id: string, requestId: string): Action[] {
    const ask = this.#asks.get(id);
    if (!ask) return [];
    ask.stage = { at: 'request', requestId };
    return ask.settled ? give(ask, ask.settled, requestId) : [];
  }

  answer(id: string, settled: Notification): Action[] {
    const ask = this.#asks.get(id);
    if (!ask || ask.settled) return [];
    const { stage } = ask;
    if (stage.at === 'deferred') return [{ do: 'delivered', askId: id, delivered: false }];
    ask.settled = settled;
    if (stage.at === 'request') return this.#give(ask, settled, stage.requestId);
    return stage.at === 'hook' ? giveThroughHook(ask, settled, stage.requestId) : [];
  }

  /** The call of our own tool ends with its result. */
  #give(ask: OpenAsk, settled: Notification, requestId: string): Action[] {
    const actions = give(ask, settled, requestId);
    if (!ask.isOurTool || 'allow' in ask.form.reply(settled)) return actions;
    this.#asks.delete(ask.id);
    return [...actions, { do: 'delivered', askId: ask.id, delivered: true }];
  }

  /** Nobody has answered: parks the run if possible, otherwise lets the agent ask and keeps its process. */
  due(id: string, mayPark: boolean): Action[] {
    const ask = this.#asks.get(id);
    if (ask?.stage.at !== 'hook') return [];
    const { requestId } = ask.stage;
    const parks = mayPark && this.#asks.size === 1;
    ask.stage = { at: parks ? 'deferred' : 'between' };
    return [send(parks ? wire.defer(requestId) : wire.pass(requestId))];
  }

  /** The call has its result. If that is an error instead of our answer, the answer is lost. */
  resulted(id: string, isError: boolean): Action[] | LostAnswer {
    const ask = this.#asks.get(id);
    if (!ask) return [];
    this.#asks.delete(id);
    const { settled } = ask;
    if (ask.stage.at !== 'sent' || !settled) return takenBack(ask);
    if (isError && 'allow' in ask.form.reply(settled)) return { id, settled };
    return [{ do: 'delivered', askId: id, delivered: true }];
  }

  /** The agent continued, so it has what was sent before. Not every version repeats the results of its calls. */
  agentContinued(isPast: (id: string) => boolean): Action[] {
    const past = [...this.#asks.values()].filter(
      ({ id, stage, isOurTool }) => stage.at === 'sent' && !isOurTool && isPast(id),
    );
    for (const { id } of past) this.#asks.delete(id);
    return past.map(({ id }) => ({ do: 'delivered', askId: id, delivered: true }));
  }

  cancelled(requestId: string): Action[] {
    for (const ask of this.#asks.values()) {
      if (!('requestId' in ask.stage) || ask.stage.requestId !== requestId) continue;
      this.#asks.delete(ask.id);
      return takenBack(ask);
    }
    return [];
  }

  /**
   * The turn failed, and with it every call in it. A question that the run was parked on still needs an answer, and so do
   * questions of sub-agents: these die with the process, and the resumed agent gets the answer.
   */
  dropTurn(): Action[] {
    const dropped = [...this.#asks.values()].filter(
      ({ stage, isOurTool }) => stage.at !== 'deferred' && !isOurTool,
    );
    for (const { id } of dropped) this.#asks.delete(id);
    return dropped.flatMap(takenBack);
  }
}

function give(ask: OpenAsk, settled: Notification, requestId: string): Action[] {
  ask.stage = { at: 'sent', requestId };
  return [send(response(requestId, ask.form.reply(settled)))];
}

/** Leaves a refusal to the permission request, because from the hook it would look like an error of the hook. */
function giveThroughHook(ask: OpenAsk, settled: Notification, requestId: string): Action[] {
  const reply = ask.form.reply(settled);
  ask.stage = 'allow' in reply ? { at: 'sent', requestId } : { at: 'between' };
  return [send('allow' in reply ? wire.allowThroughHook(requestId, reply.allow) : wire.pass(requestId))];
}

function response(requestId: string, reply: FormResult): wire.Outgoing {
  if ('allow' in reply) return wire.allow(requestId, reply.allow);
  return 'deny' in reply ? wire.deny(requestId, reply.deny) : wire.success(requestId, reply.result);
}

function takenBack({ id, settled }: OpenAsk): Action[] {
  return settled
    ? [{ do: 'delivered', askId: id, delivered: false }]
    : [emit({ kind: 'cancelled', askId: id })];
}

/** Answers that are sent as a message that repeats the question, because no call waits for them. */
export class Words {
  readonly #waiting = new Set<string>();
  readonly #settled: Map<string, Notification>;
  #sent: string[] = [];

  constructor(settled: ReadonlyMap<string, Notification>) {
    this.#settled = new Map(settled);
  }

  /** A person still has to answer. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  get isReady(): boolean {
    return this.#waiting.size === 0 && this.#settled.size > 0;
  }

  ask(id: string): void {
    this.#waiting.add(id);
  }

  awaits(id: string): boolean {
    return this.#waiting.has(id);
  }

  /** True if the answer is expected or on its way. */
  knows(id: string): boolean {
    return this.#waiting.has(id) || this.#settled.has(id) || this.#sent.includes(id);
  }

  settle(id: string, settled: Notification): void {
    this.#waiting.delete(id);
    this.#settled.set(id, settled);
  }

  /** Removes a settled answer, if there is one, because it is delivered another way. */
  take(id: string): Notification | undefined {
    const settled = this.#settled.get(id);
    this.#settled.delete(id);
    return settled;
  }

  /** All settled answers as one message, with what a person said besides. */
  say(words: string): string {
    const text = restated([...this.#settled.values()], words);
    this.#sent.push(...this.#settled.keys());
    this.#settled.clear();
    return text;
  }

  /** The agent has begun to work on the message. */
  taken(): Action[] {
    const sent = this.#sent;
    this.#sent = [];
    return sent.map((askId) => ({ do: 'delivered', askId, delivered: true }));
  }
}
