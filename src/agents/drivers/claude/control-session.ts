import type { Notification } from '../../../schema/notification.ts';
import type { AgentSetup } from '../../driver.ts';
import type { QuestionEvent, ResponseEvent, ResultEvent, StreamEvent } from '../../stream/events.ts';
import { record } from '../../stream/fields.ts';
import { cannotAsk } from './cannot-ask.ts';
import { askForm, elicitationForm } from './form.ts';
import { OpenAsks } from './open-asks.ts';
import { Permissions } from './permissions.ts';
import { proseQuestions } from './prose-question.ts';
import { type Action, emit, hold, type Session, send } from './session.ts';
import { ToolCalls } from './tool-calls.ts';
import { isAtLeast, PARKS_SINCE } from './version.ts';
import * as wire from './wire.ts';
import { isProseId, proseId, Words } from './words.ts';

export interface ControlPlan {
  name: string;
  setup: Pick<AgentSetup, 'mustAsk' | 'parkAfterMs'>;
  /** The first message; undefined where a session is resumed. */
  prompt?: string;
  /** What was settled since, by the call that asked it. */
  settled?: ReadonlyMap<string, Notification>;
}

/** What Claude Code itself says in the model's place, such as an error of the API. */
const SYNTHETIC = '<synthetic>';
/** The CLI gives up on a hook later than we do. */
const HOOK_MARGIN_S = 3600;
/** How long a resumed session may take to put its question again, after it has said that it is ready. */
const AGAIN_MS = 1000;
const AGAIN_WHEN_BUSY_MS = 15_000;

/** Claude Code with the control protocol: questions and answers through stdin and stdout of the same process. */
export class ControlSession implements Session {
  readonly #plan: ControlPlan;
  readonly #asks = new OpenAsks();
  readonly #permissions = new Permissions();
  readonly #calls = new ToolCalls();
  readonly #words: Words;
  #version: string | undefined;
  #isBusy = false;
  #isParked = false;
  #isInterrupted = false;
  /** The calls that we have heard of in time. */
  readonly #put = new Set<string>();
  #message = '';
  #isSynthetic = false;
  /** A resumed session that may put its question again by itself. */
  #isListening = false;

  constructor(plan: ControlPlan) {
    this.#plan = plan;
    this.#words = new Words(plan.settled ?? new Map());
  }

  get isWaiting(): boolean {
    return this.#asks.isWaiting || this.#permissions.isWaiting || this.#words.isWaiting;
  }

  get isParked(): boolean {
    return this.#isParked;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  begin(): Action[] {
    const { prompt, setup, settled = new Map() } = this.#plan;
    const { parkAfterMs } = setup;
    const hold = parkAfterMs === undefined ? undefined : Math.ceil(parkAfterMs / 1000) + HOOK_MARGIN_S;
    this.#isBusy = true;
    const start = send(wire.initialize(hold));
    if (prompt !== undefined) return [start, send(wire.userMessage(prompt))];
    // Only a call can be put again; what was asked in words has ended its turn.
    this.#isListening = [...settled.keys()].some((id) => !isProseId(id));
    return this.#isListening ? [start] : [start, ...this.#say()];
  }

  hear(event: StreamEvent): Action[] {
    switch (event.type) {
      case 'session':
        if (!event.init) return [];
        this.#version = event.version ?? this.#version;
        return cannotAsk(this.#plan.name, this.#plan.setup.mustAsk, event);
      case 'turn':
        return this.#goesOn();
      case 'message':
        if (event.parent !== undefined) return [];
        this.#message = event.messageId ?? this.#message;
        this.#isSynthetic = event.model === SYNTHETIC;
        return [
          ...this.#goesOn(),
          ...this.#asks.wentOn((id) => this.#calls.messageOf(id) !== event.messageId),
        ];
      case 'text':
        if (event.parent !== undefined || this.#isSynthetic) return [];
        return [emit({ kind: 'text', text: event.text })];
      case 'tool': {
        const { toolUseId = '', name, input, messageId = '', parent } = event;
        this.#calls.add(messageId, toolUseId, parent);
        if (name === wire.ASK_TOOL) return [];
        return [emit({ kind: 'tool', id: toolUseId, name, input, ...(parent ? { parent } : {}) })];
      }
      case 'question':
        return this.#question(event);
      case 'permission':
        return this.#permissions.asked(event);
      case 'tool-result':
        return this.#resulted(event.toolUseId, event.isError);
      case 'request-closed': {
        const requestId = String(event.requestId);
        return [...this.#asks.cancelled(requestId), ...this.#permissions.cancelled(requestId)];
      }
      case 'request':
        return [send(wire.unsupported(String(event.requestId), event.kind))];
      case 'response':
        return this.#response(event);
      case 'result':
        return this.#turnEnded(event);
      case 'notice':
      case 'malformed':
        return [];
      default:
        return event satisfies never;
    }
  }

  isOpen(askId: string): boolean {
    const words = this.#words;
    return this.#asks.has(askId) || words.has(askId) || words.isSettled(askId) || words.isSaid(askId);
  }

  answer(askId: string, settled: Notification): Action[] {
    if (!this.#words.has(askId)) return this.#asks.answer(askId, settled);
    if (this.#isParked) return [{ do: 'delivered', askId, delivered: false }];
    this.#words.settle(askId, settled);
    return this.#sayWhenIdle();
  }

  permit(id: string, allowed: boolean, message: string | undefined): Action[] {
    return this.#permissions.permit(id, allowed, message);
  }

  due(askId: string): Action[] {
    if (!this.#words.has(askId)) {
      const mayPark = isAtLeast(this.#version, PARKS_SINCE) && this.#calls.isAlone(askId);
      return this.#asks.due(askId, mayPark);
    }
    if (this.#isBusy || !this.#words.isWaiting) return [];
    this.#isParked = true;
    return [{ do: 'close' }];
  }

  /** The question was not put again: the call that asked is gone, so question and answer are both told. */
  quiet(): Action[] {
    if (!this.#isListening) return [];
    this.#isListening = false;
    return this.#say();
  }

  interrupt(): Action[] {
    this.#isInterrupted = true;
    return this.#isBusy ? [send(wire.interrupt())] : [{ do: 'close' }];
  }

  #goesOn(): Action[] {
    this.#isBusy = true;
    return this.#words.heard();
  }

  #question(event: QuestionEvent): Action[] {
    const { place, requestId, toolUseId } = event;
    switch (place) {
      case 'hook':
      case 'request':
        return this.#ask(event, toolUseId ?? String(requestId), String(requestId));
      case 'elicitation':
        return this.#elicited(event, String(requestId));
      case 'denial':
        return this.#refused(event, toolUseId);
      case 'tool_use':
      case 'deferred':
        return [];
      default:
        return place satisfies never;
    }
  }

  /** A question is put twice where we hold it: first to our hook, then as a request for permission. */
  #ask(event: QuestionEvent, id: string, requestId: string): Action[] {
    this.#isListening = false;
    const atHook = event.place === 'hook';
    if (this.#asks.has(id))
      return atHook ? [send(wire.pass(requestId))] : this.#asks.requested(id, requestId);
    if (atHook && this.#words.isSettled(id)) return [send(wire.pass(requestId))];
    const form = askForm(event.input);
    if (typeof form === 'string') return [send(atHook ? wire.pass(requestId) : wire.deny(requestId, form))];
    this.#put.add(id);
    this.#asks.open(id, { at: atHook ? 'hook' : 'request', requestId }, form);
    const known = this.#words.take(id);
    if (known) return this.#asks.answer(id, known);
    const parent = event.parent ?? this.#calls.parentOf(id);
    const ask = { id, questions: form.questions, ...(parent === undefined ? {} : { parent }) };
    return [emit({ kind: 'question', ask }), ...(atHook ? [hold(id)] : [])];
  }

  #elicited(event: QuestionEvent, requestId: string): Action[] {
    const form = elicitationForm(event.input);
    if (typeof form === 'string') return [send(wire.success(requestId, { action: 'cancel' }))];
    this.#asks.open(requestId, { at: 'request', requestId }, form);
    return [emit({ kind: 'question', ask: { id: requestId, questions: form.questions } })];
  }

  /** Refused by a rule of the agent's own before anybody was asked. */
  #refused(event: QuestionEvent, id: string | undefined): Action[] {
    if (id === undefined || this.#put.has(id)) return [];
    const form = askForm(event.input);
    return typeof form === 'string' ? [] : this.#askInWords(id, form.questions, false);
  }

  #resulted(id: string, isError: boolean): Action[] {
    const result = this.#asks.resulted(id, isError);
    if (Array.isArray(result)) return result;
    this.#words.settle(result.id, result.settled);
    return [];
  }

  #response({ requestId, response }: ResponseEvent): Action[] {
    if (requestId !== wire.INITIALIZE || !this.#isListening) return [];
    const state = record(response).session_state;
    if (state === 'idle') return this.quiet();
    return [{ do: 'listen', ms: state === undefined ? AGAIN_MS : AGAIN_WHEN_BUSY_MS }];
  }

  #turnEnded(result: ResultEvent): Action[] {
    this.#isBusy = false;
    this.#isListening = false;
    if (result.deferred) {
      this.#isParked = true;
      return [{ do: 'close' }];
    }
    const actions = result.ok ? this.#asks.wentOn(() => true) : this.#asks.dropAll();
    if (!result.ok || this.#isInterrupted) return [...actions, { do: 'close' }];
    if (this.#plan.setup.mustAsk && !this.#words.isReady && this.#asks.size === 0) {
      const questions = proseQuestions(result.text ?? '');
      if (questions.length > 0) actions.push(...this.#askInWords(proseId(this.#message), questions, true));
    }
    return [...actions, ...this.#sayWhenIdle()];
  }

  #askInWords(id: string, questions: unknown[], prose: boolean): Action[] {
    this.#words.ask(id);
    const ask = { id, questions, ...(prose ? { prose } : {}) };
    const isHeld = this.#plan.setup.parkAfterMs !== undefined;
    return [emit({ kind: 'question', ask }), ...(isHeld ? [hold(id)] : [])];
  }

  /** Between two turns: what is settled is told; with nothing left to tell or to wait for, the run is over. */
  #sayWhenIdle(): Action[] {
    if (this.#isBusy || this.isWaiting) return [];
    return this.#words.isReady ? this.#say() : [{ do: 'close' }];
  }

  #say(): Action[] {
    this.#isBusy = true;
    return [send(wire.userMessage(this.#words.say()))];
  }
}
