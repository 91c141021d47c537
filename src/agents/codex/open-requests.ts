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
  request: AnswerRequest | ApprovalRequest;
  requestId: RequestId;
  threadId: string;
  callId: string | undefined;
  /** Set once we have responded; called with whether Codex took the response. */
  onTaken?: (took: boolean) => void;
}

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
  readonly #open = new Map<string, Open>();

  constructor(context: RequestContext) {
    this.#context = context;
  }

  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  /** A call is over; if we sent an answer, the call has it. */
  callEnded(threadId: string, callId: string): void {
    this.#end(
      (open) => open.request.type === 'answer' && open.threadId === threadId && open.callId === callId,
    );
  }

  /** Accepts a request of Codex. Refuses one that a person cannot decide. */
  take(event: QuestionEvent | PermissionEvent): void {
    const { connection, threads, changed, tell } = this.#context;
    const { requestId, kind = 'such a request', parent } = event;
    if (requestId === undefined) return;
    const request = event.type === 'question' ? questionRequest(event) : approvalRequest(event);
    if (!request) {
      connection.refuse(requestId, kind);
      return;
    }
    if (request.type === 'answer' && request.questions.length === 0) {
      void connection.respond(requestId, request.nothing);
      return;
    }
    const threadId = threads.idOf(parent);
    const callId = event.toolUseId ?? ('callId' in event ? event.callId : undefined);
    const call = askIdOf(parent, callId ?? `request-${requestId}`);
    const id = request.type === 'approval' ? String(requestId) : askId(kind, call, requestId);
    this.#open.set(id, { request, requestId, threadId, callId });
    changed();
    const speaker = threads.speaker(threadId);
    if (request.type === 'approval') {
      tell({ kind: 'permission', id, ...request.ask, ...speaker });
    } else {
      const { questions, elicitation } = request;
      tell({ kind: 'question', ask: { id, callId: call, questions, ...speaker, elicitation } });
    }
  }

  /** Resolves to whether the thread that asked has the answer for good. */
  async answer(askId: string, settled: Notification): Promise<boolean> {
    const open = this.#open.get(askId);
    if (open?.request.type !== 'answer' || open.onTaken) return false;
    const { request, threadId, callId } = open;
    if (!(await this.#send(open, request.answer(settled), markResponded(open)))) return false;
    return this.#context.records.keeps(threadId, (record) => callId !== undefined && record.has(callId));
  }

  /**
   * A note goes to the thread first, so that the same model request contains both note and outcome. If the thread does
   * not take it, the agent gets it in its next turn.
   */
  async permit(id: string, allowed: boolean, { note, suggestion }: Remark): Promise<boolean> {
    const open = this.#open.get(id);
    if (open?.request.type !== 'approval' || open.onTaken) return false;
    const { request, threadId } = open;
    const decision = request.decide(allowed, suggestion);
    const acceptance = markResponded(open);
    if (note === undefined) return this.#send(open, decision, acceptance);
    const words = `${allowed ? 'I approved' : 'I rejected'} ${request.what}, with a note: ${note}`;
    const isSteered = await this.steer(threadId, words);
    // Queue the note before sending the decision, because the run may end with the decision.
    const later = isSteered ? undefined : this.#tellLater(threadId, words);
    if (!(await this.#send(open, decision, acceptance))) return false;
    return later ?? this.#context.records.keeps(threadId, (record) => record.wasTold(words));
  }

  /** Resolves to whether the current turn accepts a message. */
  steer(threadId: string, text: string): Promise<boolean> {
    const expectedTurnId = this.#context.threads.turnOf(threadId);
    const input = [{ type: 'text', text }];
    return this.#context.connection.call('turn/steer', { threadId, expectedTurnId, input }).then(
      () => true,
      () => false,
    );
  }

  /** Codex no longer needs a response, either because it has ours or because it aborted what it was doing. */
  resolved(requestId: unknown): void {
    this.#end((open) => open.requestId === requestId);
  }

  /** When its turn ends, all requests of a thread are over. */
  turnEnded(threadId: string): void {
    this.#end((open) => open.threadId === threadId);
  }

  /** Codex is gone, so nobody gets a response. */
  close(): void {
    for (const { onTaken } of this.#open.values()) onTaken?.(false);
  }

  async #send({ requestId }: Open, response: unknown, acceptance: Promise<boolean>): Promise<boolean> {
    return (await this.#context.connection.respond(requestId, response)) && acceptance;
  }

  #tellLater(threadId: string, words: string): Promise<boolean> {
    const { asker } = this.#context.threads.speaker(threadId);
    return this.#context.tellLater(asker === undefined ? words : `About your sub-agent "${asker}": ${words}`);
  }

  #end(isOver: (open: Open) => boolean): void {
    for (const [id, open] of this.#open) {
      if (!isOver(open)) continue;
      this.#open.delete(id);
      this.#context.changed();
      if (open.onTaken) open.onTaken(true);
      else this.#context.tell({ kind: 'cancelled', askId: id });
    }
  }
}

/** An MCP server may withdraw a form and send another one in the same call. */
const askId = (kind: string, call: string, requestId: RequestId) =>
  kind === method.elicitation ? `${call}#${requestId}` : call;

/** Marks that we have responded, or are about to. */
function markResponded(open: Open): Promise<boolean> {
  return new Promise((resolve) => {
    open.onTaken = resolve;
  });
}

interface Message {
  text: string;
  /** Called with whether it was sent. */
  sent: (isSent: boolean) => void;
}

/** What begins the agent's next turn: notes, and answers to questions in plain text at the end of a turn. */
export class InWords {
  /** Keyed by the id of the question; undefined until a person answers. */
  readonly #asked = new Map<string, Message | undefined>();
  #notes: Message[] = [];
  #isClosed = false;
  /** The agent's last message in the current turn. */
  #last: { id: string; text: string } | undefined;

  /** A person still has to answer. */
  get isWaiting(): boolean {
    return [...this.#asked.values()].includes(undefined);
  }

  has(id: string): boolean {
    return this.#asked.has(id);
  }

  turnStarted(): void {
    this.#last = undefined;
  }

  message(id: string, text: string): void {
    this.#last = { id, text };
  }

  /** The questions with which the agent's turn ended. */
  lastAsked(): Ask | undefined {
    const questions = proseQuestions(this.#last?.text ?? '');
    if (questions.length === 0) return undefined;
    const id = proseId(String(this.#last?.id));
    this.#asked.set(id, undefined);
    return { id, questions, prose: true };
  }

  /** Resolves to whether the answer was sent. */
  answer(id: string, settled: Notification): Promise<boolean> {
    return new Promise((sent) => this.#asked.set(id, { text: restated([settled]), sent }));
  }

  note(text: string): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false);
    return new Promise((sent) => this.#notes.push({ text, sent }));
  }

  /** Everything as one message; undefined if there is nothing to send or an answer is missing. */
  say(): string | undefined {
    const messages = [...this.#asked.values(), ...this.#notes].flatMap((each) => each ?? []);
    if (messages.length === 0 || this.isWaiting) return undefined;
    this.#asked.clear();
    this.#notes = [];
    for (const { sent } of messages) sent(true);
    return messages.map(({ text }) => text).join('\n');
  }

  close(): void {
    this.#isClosed = true;
    for (const message of [...this.#notes, ...this.#asked.values()]) message?.sent(false);
  }
}
