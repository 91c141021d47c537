import type { Notification } from '../../schema/notification.ts';
import type { Ask } from '../driver.ts';
import { answerText, rawQuestions } from '../questions/ask-human.ts';
import { askForm, elicitationForm, type Form } from '../questions/forms.ts';
import { proseId } from '../questions/prose-question.ts';
import type { Thread } from '../run/background-tasks.ts';
import type { MessageEvent, PermissionEvent, QuestionEvent, ToolEvent } from '../stream/events.ts';
import { type Action, emit, send } from './dialogue.ts';
import { OpenAsks, Words } from './open-asks.ts';
import type { HumanCall } from './wire.ts';
import * as wire from './wire.ts';

interface QuestionRules {
  /** Parks the run if nobody answers for a while, unless its process has to stay alive. */
  hold(id: string): Action[];
  /** What was settled before the session was resumed, keyed by the call that asked. */
  settled: ReadonlyMap<string, Notification>;
}

/** The questions of a session: those that a call waits for, and those that the next message answers. */
export class Questions {
  readonly words: Words;
  readonly #rules: QuestionRules;
  readonly #asks = new OpenAsks();
  readonly #calls = new ToolCalls();
  /** The calls whose questions we have already passed on. */
  readonly #passedOn = new Set<string>();
  /** Questions of the agent's last message for which it has not asked us yet. */
  readonly #unasked = new Map<string, QuestionEvent>();

  constructor(rules: QuestionRules) {
    this.#rules = rules;
    this.words = new Words(rules.settled);
  }

  get isWaiting(): boolean {
    return this.#asks.isWaiting || this.words.isWaiting;
  }

  /** True if no call of the agent's own turn is waiting. */
  get areQuiet(): boolean {
    return this.#asks.inTurn === 0;
  }

  isOpen(id: string): boolean {
    return this.#asks.has(id) || this.words.knows(id);
  }

  called({ messageId = '', toolUseId = '', parent }: ToolEvent): void {
    this.#calls.add(messageId, toolUseId, parent);
  }

  /** The call that started the sub-agent that made this call, if we saw it. */
  parentOf(id: string | undefined): string | undefined {
    return id === undefined ? undefined : this.#calls.parentOf(id);
  }

  heard(event: QuestionEvent, thread: Thread): Action[] {
    const { place, toolUseId } = event;
    const requestId = String(event.requestId);
    switch (place) {
      case 'hook':
      case 'request':
        return this.#asked(event, place, toolUseId ?? requestId, requestId, thread);
      case 'elicitation':
        return this.#elicited(event, requestId);
      case 'denial':
        return this.#refused(event, toolUseId);
      case 'tool_use':
        if (event.parent === undefined) this.#unasked.set(toolUseId ?? '', event);
        return [];
      case 'deferred':
        return [];
      default:
        return place satisfies never;
    }
  }

  /** Our tool asks for permission. The person answers now, and the call that follows gets the answer at once. */
  toolAsked({ requestId, toolUseId, input }: PermissionEvent, thread: Thread): Action[] {
    const refuse = (words: string) => wire.deny(String(requestId), words);
    const reply = () => ({ allow: input });
    return this.#askWithTool(toolUseId ?? String(requestId), String(requestId), input, thread, {
      reply,
      refuse,
    });
  }

  /** Our tool is called. If a setting allowed it without asking, the person is asked now. */
  toolCalled(call: HumanCall, requestId: string, thread: Thread): Action[] {
    const { toolUseId: id, input, result } = call;
    const settled = this.#asks.taken(id);
    if (settled) return [send(wire.success(requestId, result(answerText(settled)))), delivered(id)];
    const refuse = (words: string) => wire.success(requestId, result(words));
    const reply: Form['reply'] = (settled) => ({ result: result(answerText(settled)) });
    return this.#askWithTool(id, requestId, input, thread, { reply, refuse });
  }

  /** The next message answers this question, because no call waits for it. */
  askInWords(id: string, questions: unknown[], prose: boolean): Action[] {
    this.words.ask(id);
    return [question({ id, questions, ...(prose ? { prose } : {}) }), ...this.#rules.hold(id)];
  }

  answer(id: string, settled: Notification): Action[] {
    return this.#asks.answer(id, settled);
  }

  /**
   * Set `parks` if nothing else needs the process. Even then, the call must be alone in its message, and the message
   * complete.
   */
  due(id: string, parks: boolean): Action[] {
    if (this.#calls.isStreaming(id)) return this.#rules.hold(id);
    return this.#asks.due(id, parks && this.#calls.isAlone(id));
  }

  resulted(id: string, isError: boolean): Action[] {
    this.#unasked.delete(id);
    const result = this.#asks.resulted(id, isError);
    if (Array.isArray(result)) return result;
    this.words.settle(result.id, result.settled);
    return [];
  }

  /** A message after the one that asked shows that the agent has what we sent. */
  agentContinued({ messageId, isStreaming }: MessageEvent): Action[] {
    if (isStreaming !== undefined) this.#calls.streams(messageId, isStreaming);
    for (const id of this.#unasked.keys())
      if (this.#calls.messageOf(id) !== (messageId ?? '')) this.#unasked.delete(id);
    return this.#asks.agentContinued((id) => this.#calls.messageOf(id) !== messageId);
  }

  /** The agent stopped at its call without asking us, as programs do that do not wait for an answer. */
  askUnasked(): Action[] {
    const actions = [...this.#unasked].flatMap(([id, { input }]) => {
      const form = askForm(input);
      return typeof form === 'string' ? [] : this.askInWords(proseId(id), form.questions, false);
    });
    this.#unasked.clear();
    return actions;
  }

  cancelled(requestId: string): Action[] {
    return this.#asks.cancelled(requestId);
  }

  turnEnded(ok: boolean): Action[] {
    return ok ? this.#asks.agentContinued(() => true) : this.#asks.dropTurn();
  }

  /** A held question arrives twice: first at our hook, then as a permission request. */
  #asked(
    event: QuestionEvent,
    at: 'hook' | 'request',
    id: string,
    requestId: string,
    thread: Thread,
  ): Action[] {
    const pass = [send(wire.pass(requestId))];
    if (this.#asks.has(id)) return at === 'hook' ? pass : this.#asks.requested(id, requestId);
    const form = askForm(event.input);
    if (typeof form === 'string') return at === 'hook' ? pass : [send(wire.deny(requestId, form))];
    this.#passedOn.add(id);
    this.#unasked.delete(id);
    this.#asks.open(id, { at, requestId }, form);
    const later = at === 'hook' ? this.#rules.hold(id) : [];
    return this.#answeredBefore(id) ?? [question({ id, questions: form.questions, ...thread }), ...later];
  }

  #askWithTool(
    id: string,
    requestId: string,
    input: unknown,
    thread: Thread,
    { reply, refuse }: Pick<Form, 'reply'> & { refuse(words: string): wire.Outgoing },
  ): Action[] {
    const questions = rawQuestions(input);
    if (questions.length === 0) return [send(refuse('The call has no questions. Pass "questions".'))];
    this.#asks.open(id, { at: 'request', requestId }, { questions, reply }, { isOurTool: true });
    return this.#answeredBefore(id) ?? [question({ id, questions, ...thread })];
  }

  /** A resumed session repeats what was answered meanwhile. */
  #answeredBefore(id: string): Action[] | undefined {
    const settled = this.words.take(id) ?? this.#rules.settled.get(id);
    return settled && this.#asks.answer(id, settled);
  }

  #elicited({ input }: QuestionEvent, requestId: string): Action[] {
    const form = elicitationForm(input);
    this.#asks.open(requestId, { at: 'request', requestId }, form);
    return [question({ id: requestId, questions: form.questions, elicitation: true })];
  }

  /** One of the agent's own rules refused the question before anybody was asked. */
  #refused({ input }: QuestionEvent, id: string | undefined): Action[] {
    if (id === undefined || this.#passedOn.has(id)) return [];
    const form = askForm(input);
    this.#passedOn.add(id);
    this.#unasked.delete(id);
    return typeof form === 'string' ? [] : this.askInWords(id, form.questions, false);
  }
}

const question = (ask: Ask): Action => emit({ kind: 'question', ask });
const delivered = (askId: string): Action => ({ do: 'delivered', askId, delivered: true });

interface Message {
  id: string;
  calls: Set<string>;
  /** The call that started the sub-agent that wrote the message. */
  parent: string | undefined;
}

/** The most messages that can still have an open call. */
const MESSAGES = 32;

/** Tracks which tool calls came in which message of the model: a message comes in several events, one per call. */
class ToolCalls {
  readonly #messages: Message[] = [];
  /** The message that is not complete yet. */
  #streaming: string | undefined;

  add(messageId: string, toolUseId: string, parent: string | undefined): void {
    const message = this.#messages.find(({ id }) => id === messageId);
    if (message) message.calls.add(toolUseId);
    else this.#messages.push({ id: messageId, calls: new Set([toolUseId]), parent });
    if (this.#messages.length > MESSAGES) this.#messages.shift();
  }

  streams(messageId: string | undefined, isStreaming: boolean): void {
    if (isStreaming) this.#streaming = messageId;
    else if (this.#streaming === messageId) this.#streaming = undefined;
  }

  /** True while more calls may come in the same message. */
  isStreaming(toolUseId: string): boolean {
    return this.#streaming !== undefined && this.messageOf(toolUseId) === this.#streaming;
  }

  parentOf(toolUseId: string): string | undefined {
    return this.#of(toolUseId)?.parent;
  }

  messageOf(toolUseId: string): string | undefined {
    return this.#of(toolUseId)?.id;
  }

  /** True if the agent itself made the call and its message is known to have no other call. */
  isAlone(toolUseId: string): boolean {
    const message = this.#of(toolUseId);
    return message !== undefined && message.parent === undefined && message.calls.size === 1;
  }

  #of(toolUseId: string): Message | undefined {
    return this.#messages.find(({ calls }) => calls.has(toolUseId));
  }
}
