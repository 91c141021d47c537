import type { Notification } from '../../../schema/notification.ts';
import { askForm, elicitationForm } from '../../form.ts';
import type { MessageEvent, QuestionEvent, ToolEvent } from '../../stream/events.ts';
import { OpenAsks } from './open-asks.ts';
import { type Action, emit, hold, send } from './session.ts';
import { ToolCalls } from './tool-calls.ts';
import * as wire from './wire.ts';
import { Words } from './words.ts';

export interface QuestionRules {
  /** Whether a question is held for a while before it is put, or the process kept for it. */
  holds: boolean;
  /** What was settled before the session was resumed, by the call that asked. */
  settled: ReadonlyMap<string, Notification>;
}

/** The questions of a session: those that a call waits for, and those that are answered by the next message. */
export class Questions {
  readonly words: Words;
  readonly #rules: QuestionRules;
  readonly #asks = new OpenAsks();
  readonly #calls = new ToolCalls();
  /** The calls that we have heard of in time. */
  readonly #put = new Set<string>();

  constructor(rules: QuestionRules) {
    this.#rules = rules;
    this.words = new Words(rules.settled);
  }

  get isWaiting(): boolean {
    return this.#asks.isWaiting || this.words.isWaiting;
  }

  /** No call waits for anything. */
  get areQuiet(): boolean {
    return this.#asks.size === 0;
  }

  isOpen(id: string): boolean {
    return this.#asks.has(id) || this.words.knows(id);
  }

  called({ messageId = '', toolUseId = '', parent }: ToolEvent): void {
    this.#calls.add(messageId, toolUseId, parent);
  }

  heard(event: QuestionEvent): Action[] {
    const { place, toolUseId } = event;
    const requestId = String(event.requestId);
    switch (place) {
      case 'hook':
      case 'request':
        return this.#asked(event, place, toolUseId ?? requestId, requestId);
      case 'elicitation':
        return this.#elicited(event, requestId);
      case 'denial':
        return this.#refused(event, toolUseId);
      case 'tool_use':
      case 'deferred':
        return [];
      default:
        return place satisfies never;
    }
  }

  /** Answered by the next message, because no call waits for it. */
  askInWords(id: string, questions: unknown[], prose: boolean): Action[] {
    this.words.ask(id);
    const ask = { id, questions, ...(prose ? { prose } : {}) };
    return [emit({ kind: 'question', ask }), ...(this.#rules.holds ? [hold(id)] : [])];
  }

  answer(id: string, settled: Notification): Action[] {
    return this.#asks.answer(id, settled);
  }

  /** `parks` where the version can do that; the call has to be alone in its message, too. */
  due(id: string, parks: boolean): Action[] {
    return this.#asks.due(id, parks && this.#calls.isAlone(id));
  }

  resulted(id: string, isError: boolean): Action[] {
    const result = this.#asks.resulted(id, isError);
    if (Array.isArray(result)) return result;
    this.words.settle(result.id, result.settled);
    return [];
  }

  /** A message after the one that asked: the agent has what was sent. */
  wentOn({ messageId }: MessageEvent): Action[] {
    return this.#asks.wentOn((id) => this.#calls.messageOf(id) !== messageId);
  }

  cancelled(requestId: string): Action[] {
    return this.#asks.cancelled(requestId);
  }

  turnEnded(ok: boolean): Action[] {
    return ok ? this.#asks.wentOn(() => true) : this.#asks.dropAll();
  }

  /** A question is put twice where it is held: first to our hook, then as a request for permission. */
  #asked(event: QuestionEvent, at: 'hook' | 'request', id: string, requestId: string): Action[] {
    const pass = [send(wire.pass(requestId))];
    if (this.#asks.has(id)) return at === 'hook' ? pass : this.#asks.requested(id, requestId);
    const form = askForm(event.input);
    if (typeof form === 'string') return at === 'hook' ? pass : [send(wire.deny(requestId, form))];
    this.#put.add(id);
    this.#asks.open(id, { at, requestId }, form);
    const known = this.words.take(id) ?? this.#rules.settled.get(id);
    if (known) return this.#asks.answer(id, known);
    const parent = event.parent ?? this.#calls.parentOf(id);
    const ask = { id, questions: form.questions, ...(parent === undefined ? {} : { parent }) };
    return [emit({ kind: 'question', ask }), ...(at === 'hook' ? [hold(id)] : [])];
  }

  #elicited({ input }: QuestionEvent, requestId: string): Action[] {
    const form = elicitationForm(input);
    if (typeof form === 'string') return [send(wire.success(requestId, { action: 'cancel' }))];
    this.#asks.open(requestId, { at: 'request', requestId }, form);
    return [emit({ kind: 'question', ask: { id: requestId, questions: form.questions } })];
  }

  /** Refused by a rule of the agent's own before anybody was asked. */
  #refused({ input }: QuestionEvent, id: string | undefined): Action[] {
    if (id === undefined || this.#put.has(id)) return [];
    const form = askForm(input);
    this.#put.add(id);
    return typeof form === 'string' ? [] : this.askInWords(id, form.questions, false);
  }
}
