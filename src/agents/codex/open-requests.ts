import type { Notification } from '../../schema/notification.ts';
import type { AgentEvent, Ask, Remark } from '../driver.ts';
import { restated } from '../questions/answer-text.ts';
import { proseId, proseQuestions } from '../questions/prose-question.ts';
import type { PermissionEvent, QuestionEvent, RequestId } from '../stream/events.ts';
import type { Connection } from './connection.ts';
import {
  type AnswerRequest,
  type ApprovalRequest,
  approvalRequest,
  method,
  questionRequest,
} from './requests.ts';
import type { Threads } from './threads.ts';
import { askIdOf, type Records } from './transcript.ts';

/** An open request, from the question until Codex has our response or no longer waits for one. */
interface Open {
  requestId: RequestId;
  threadId: string;
  /** Set once we have responded; called with whether Codex took the response. */
  taken?: (took: boolean) => void;
}

interface OpenAsk extends Open {
  callId: string | undefined;
  answer: AnswerRequest['answer'];
}

interface OpenPermission extends Open, Pick<ApprovalRequest, 'what' | 'decide'> {}

/** How the requests of one process reach a person, and how the responses reach Codex. */
interface RequestContext {
  connection: Pick<Connection, 'call' | 'respond' | 'refuse'>;
  threads: Threads;
  records: Records;
  tell(event: AgentEvent): void;
  /** Called when `isWaiting` may have changed. */
  changed(): void;
  /** Tells the agent something in its next turn; resolves to whether it was sent. */
  tellLater(words: string): Promise<boolean>;
}

/** The open requests of Codex's threads: questions to a person, and permissions. */
export class OpenRequests {
  readonly #context: RequestContext;
  readonly #asks = new Map<string, OpenAsk>();
  readonly #permissions = new Map<string, OpenPermission>();

  constructor(context: RequestContext) {
    this.#context = context;
  }

  get isWaiting(): boolean {
    return this.#asks.size > 0 || this.#permissions.size > 0;
  }

  /** A call is over; if we sent an answer, the call has it. */
  callEnded(threadId: string, callId: string): void {
    for (const [id, ask] of this.#asks) {
      if (ask.threadId === threadId && ask.callId === callId) this.#endAsk(id, ask);
    }
  }

  /** Accepts a request of Codex. Refuses one that a person cannot decide. */
  take(event: QuestionEvent | PermissionEvent): void {
    const { requestId, kind = 'such a request' } = event;
    if (requestId === undefined) return;
    const request = event.type === 'question' ? questionRequest(event) : approvalRequest(event);
    const open = { requestId, threadId: this.#context.threads.idOf(event.parent) };
    if (request?.type === 'answer') this.#ask(event, request, open);
    else if (request?.type === 'approval') this.#askLeave(request, open);
    else this.#context.connection.refuse(requestId, kind);
  }

  #ask(event: QuestionEvent | PermissionEvent, request: AnswerRequest, open: Open): void {
    const { requestId, threadId } = open;
    const { questions, answer, elicitation, nothing } = request;
    if (questions.length === 0) {
      void this.#context.connection.respond(requestId, nothing);
      return;
    }
    const callId = event.toolUseId ?? ('callId' in event ? event.callId : undefined);
    const call = askIdOf(event.parent, callId ?? `request-${requestId}`);
    // An MCP server may withdraw a form and send another one in the same call.
    const id = event.kind === method.elicitation ? `${call}#${requestId}` : call;
    this.#asks.set(id, { ...open, callId, answer });
    this.#context.changed();
    const speaker = this.#context.threads.speaker(threadId);
    this.#context.tell({ kind: 'question', ask: { id, callId: call, questions, ...speaker, elicitation } });
  }

  #askLeave({ ask, what, decide }: ApprovalRequest, open: Open): void {
    const id = String(open.requestId);
    this.#permissions.set(id, { ...open, what, decide });
    this.#context.changed();
    this.#context.tell({ kind: 'permission', id, ...ask, ...this.#context.threads.speaker(open.threadId) });
  }

  /** Resolves to whether the thread that asked has the answer for good. */
  async answer(askId: string, settled: Notification): Promise<boolean> {
    const ask = this.#asks.get(askId);
    if (!ask || ask.taken) return false;
    const { threadId, callId } = ask;
    if (!(await this.#respond(ask, ask.answer(settled)))) return false;
    return this.#context.records.keeps(threadId, (record) => callId !== undefined && record.has(callId));
  }

  /**
   * A note goes to the thread first, so that the same model request contains both note and outcome. If the thread does
   * not take it, the agent gets it in its next turn.
   */
  async permit(id: string, allowed: boolean, { note, suggestion }: Remark): Promise<boolean> {
    const asked = this.#permissions.get(id);
    if (!asked || asked.taken) return false;
    const decision = asked.decide(allowed, suggestion);
    if (note === undefined) return this.#respond(asked, decision);
    const { threadId, what } = asked;
    const words = `${allowed ? 'I approved' : 'I rejected'} ${what}, with a note: ${note}`;
    const taken = markResponded(asked);
    const isSteered = await this.#steer(threadId, words);
    // Queue the note before sending the decision, because the run may end with the decision.
    const later = isSteered ? undefined : this.#tellLater(threadId, words);
    if (!(await this.#send(asked, decision, taken))) return false;
    return later ?? this.#context.records.keeps(threadId, (record) => record.wasTold(words));
  }

  /** Codex no longer needs a response, either because it has ours or because it aborted what it was doing. */
  resolved(requestId: unknown): void {
    for (const [id, asked] of this.#permissions)
      if (asked.requestId === requestId) this.#endPermission(id, asked);
    for (const [id, ask] of this.#asks) if (ask.requestId === requestId) this.#endAsk(id, ask);
  }

  /** When its turn ends, all requests of a thread are over. */
  turnEnded(threadId: string): void {
    for (const [id, asked] of this.#permissions)
      if (asked.threadId === threadId) this.#endPermission(id, asked);
    for (const [id, ask] of this.#asks) if (ask.threadId === threadId) this.#endAsk(id, ask);
  }

  /** Codex is gone, so nobody gets a response. */
  close(): void {
    for (const { taken } of [...this.#asks.values(), ...this.#permissions.values()]) taken?.(false);
  }

  #respond(open: Open, response: unknown): Promise<boolean> {
    return this.#send(open, response, markResponded(open));
  }

  async #send({ requestId }: Open, response: unknown, taken: Promise<boolean>): Promise<boolean> {
    return (await this.#context.connection.respond(requestId, response)) && taken;
  }

  #tellLater(threadId: string, words: string): Promise<boolean> {
    const { asker } = this.#context.threads.speaker(threadId);
    return this.#context.tellLater(asker === undefined ? words : `About your sub-agent "${asker}": ${words}`);
  }

  /** Resolves to whether the current turn accepts a message. */
  #steer(threadId: string, text: string): Promise<boolean> {
    const expectedTurnId = this.#context.threads.turnOf(threadId);
    const input = [{ type: 'text', text }];
    return this.#context.connection.call('turn/steer', { threadId, expectedTurnId, input }).then(
      () => true,
      () => false,
    );
  }

  #endAsk(id: string, ask: OpenAsk): void {
    this.#asks.delete(id);
    this.#end(id, ask);
  }

  #endPermission(id: string, asked: OpenPermission): void {
    this.#permissions.delete(id);
    this.#end(id, asked);
  }

  #end(id: string, { taken }: Open): void {
    this.#context.changed();
    if (taken) taken(true);
    else this.#context.tell({ kind: 'cancelled', askId: id });
  }
}

/** Marks that we have responded, or are about to. */
function markResponded(open: Open): Promise<boolean> {
  return new Promise((resolve) => {
    open.taken = resolve;
  });
}

interface Told {
  text: string;
  /** Called with whether it was sent. */
  said: (isSaid: boolean) => void;
}

/** What begins the agent's next turn: notes, and answers to questions in plain text at the end of a turn. */
export class InWords {
  /** Keyed by the id of the question; undefined until a person answers. */
  readonly #asked = new Map<string, Told | undefined>();
  #notes: Told[] = [];
  /** The agent's last message in the current turn. */
  #message: { id: string; text: string } | undefined;

  /** A person still has to answer. */
  get isWaiting(): boolean {
    return [...this.#asked.values()].includes(undefined);
  }

  has(id: string): boolean {
    return this.#asked.has(id);
  }

  turnStarted(): void {
    this.#message = undefined;
  }

  message(id: string, text: string): void {
    this.#message = { id, text };
  }

  /** The questions with which the agent's turn ended. */
  lastAsked(): Ask | undefined {
    const questions = proseQuestions(this.#message?.text ?? '');
    if (questions.length === 0) return undefined;
    const id = proseId(String(this.#message?.id));
    this.#asked.set(id, undefined);
    return { id, questions, prose: true };
  }

  /** Resolves to whether the answer was sent. */
  answer(id: string, settled: Notification): Promise<boolean> {
    return new Promise((said) => this.#asked.set(id, { text: restated([settled]), said }));
  }

  note(text: string): Promise<boolean> {
    return new Promise((said) => this.#notes.push({ text, said }));
  }

  /** Everything as one message; undefined if there is nothing to send or an answer is missing. */
  say(): string | undefined {
    const told = [...this.#asked.values(), ...this.#notes].flatMap((each) => each ?? []);
    if (told.length === 0 || this.isWaiting) return undefined;
    this.#asked.clear();
    this.#notes = [];
    for (const { said } of told) said(true);
    return told.map(({ text }) => text).join('\n');
  }

  close(): void {
    for (const told of [...this.#notes, ...this.#asked.values()]) told?.said(false);
  }
}
