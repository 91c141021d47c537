import type { Notification } from '../../../schema/notification.ts';
import type { AgentSetup } from '../../driver.ts';
import type {
  MessageEvent,
  ResponseEvent,
  ResultEvent,
  StreamEvent,
  ToolEvent,
} from '../../stream/events.ts';
import { record } from '../../stream/fields.ts';
import { cannotAsk } from './cannot-ask.ts';
import { Permissions } from './permissions.ts';
import { proseQuestions } from './prose-question.ts';
import { Questions } from './questions.ts';
import { type Action, emit, type Session, send } from './session.ts';
import { isAtLeast, PARKS_SINCE } from './version.ts';
import * as wire from './wire.ts';
import { isProseId, proseId } from './words.ts';

export interface ControlPlan {
  name: string;
  setup: Pick<AgentSetup, 'mustAsk' | 'parkAfterMs'>;
  /** The first message; undefined where a session is resumed. */
  prompt?: string;
  /** What was settled since, by the call that asked it. */
  settled: ReadonlyMap<string, Notification>;
}

/** What Claude Code itself says in the model's place, such as an error of the API. */
const SYNTHETIC = '<synthetic>';
/** The CLI gives up on a hook later than we do. */
const HOOK_MARGIN_S = 3600;
/** How long a resumed session may take to say that it is ready, and then to put its question again. */
const READY_MS = 60_000;
const AGAIN_MS = 1000;
const AGAIN_WHEN_BUSY_MS = 15_000;

/** Claude Code with the control protocol: questions and answers through stdin and stdout of the same process. */
export class ControlSession implements Session {
  readonly #plan: ControlPlan;
  readonly #questions: Questions;
  readonly #permissions = new Permissions();
  #version: string | undefined;
  #message = '';
  #isSynthetic = false;
  #isBusy = false;
  #isParked = false;
  #isInterrupted = false;
  /** A resumed session that may put its question again by itself. */
  #isListening = false;

  constructor(plan: ControlPlan) {
    const { setup, settled } = plan;
    this.#plan = plan;
    this.#questions = new Questions({ holds: setup.parkAfterMs !== undefined, settled });
  }

  get isWaiting(): boolean {
    return this.#questions.isWaiting || this.#permissions.isWaiting;
  }

  get isParked(): boolean {
    return this.#isParked;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  begin(): Action[] {
    const { prompt, setup, settled } = this.#plan;
    const { parkAfterMs } = setup;
    const holdSeconds = parkAfterMs === undefined ? undefined : Math.ceil(parkAfterMs / 1000) + HOOK_MARGIN_S;
    const start = send(wire.initialize(holdSeconds));
    this.#isBusy = true;
    if (prompt !== undefined) return [start, send(wire.userMessage(prompt))];
    // Only a call can be put again; what was asked in words has ended its turn.
    this.#isListening = [...settled.keys()].some((id) => !isProseId(id));
    return this.#isListening ? [start, { do: 'listen', ms: READY_MS }] : [start, ...this.#say()];
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
        return event.parent === undefined ? this.#spoke(event) : [];
      case 'text':
        if (event.parent !== undefined || this.#isSynthetic) return [];
        return [emit({ kind: 'text', text: event.text })];
      case 'tool':
        return this.#called(event);
      case 'question':
        this.#isListening &&= event.place !== 'hook' && event.place !== 'request';
        return this.#questions.heard(event);
      case 'permission':
        return this.#permissions.asked(event);
      case 'tool-result':
        return this.#questions.resulted(event.toolUseId, event.isError);
      case 'request-closed': {
        const requestId = String(event.requestId);
        return [...this.#questions.cancelled(requestId), ...this.#permissions.cancelled(requestId)];
      }
      case 'request':
        return [send(wire.unsupported(String(event.requestId), event.kind))];
      case 'response':
        return this.#answered(event);
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
    return this.#questions.isOpen(askId);
  }

  answer(askId: string, settled: Notification): Action[] {
    const { words } = this.#questions;
    if (!words.awaits(askId)) return this.#questions.answer(askId, settled);
    if (this.#isParked) return [{ do: 'delivered', askId, delivered: false }];
    words.settle(askId, settled);
    return this.#sayWhenIdle();
  }

  permit(id: string, allowed: boolean, message: string | undefined): Action[] {
    return this.#permissions.permit(id, allowed, message);
  }

  due(askId: string): Action[] {
    const { words } = this.#questions;
    if (!words.awaits(askId)) return this.#questions.due(askId, isAtLeast(this.#version, PARKS_SINCE));
    if (this.#isBusy) return [];
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
    return this.#questions.words.heard();
  }

  #spoke(event: MessageEvent): Action[] {
    this.#message = event.messageId ?? this.#message;
    this.#isSynthetic = event.model === SYNTHETIC;
    return [...this.#goesOn(), ...this.#questions.wentOn(event)];
  }

  #called(event: ToolEvent): Action[] {
    this.#questions.called(event);
    const { toolUseId: id = '', name, input, parent } = event;
    if (name === wire.ASK_TOOL) return [];
    return [emit({ kind: 'tool', id, name, input, ...(parent ? { parent } : {}) })];
  }

  /** Once it is ready, a session that was parked goes on by itself; one that was not waits for a message. */
  #answered({ requestId, response }: ResponseEvent): Action[] {
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
    const actions = this.#questions.turnEnded(result.ok);
    if (!result.ok || this.#isInterrupted) return [...actions, { do: 'close' }];
    return [...actions, ...this.#askedInWords(result.text ?? ''), ...this.#sayWhenIdle()];
  }

  #askedInWords(said: string): Action[] {
    const { words, areQuiet } = this.#questions;
    if (!this.#plan.setup.mustAsk || words.isReady || !areQuiet) return [];
    const questions = proseQuestions(said);
    return questions.length > 0 ? this.#questions.askInWords(proseId(this.#message), questions, true) : [];
  }

  /** Between two turns: what is settled is told; with nothing left to tell or to wait for, the run is over. */
  #sayWhenIdle(): Action[] {
    if (this.#isBusy || this.isWaiting) return [];
    return this.#questions.words.isReady ? this.#say() : [{ do: 'close' }];
  }

  #say(): Action[] {
    this.#isBusy = true;
    return [send(wire.userMessage(this.#questions.words.say()))];
  }
}
