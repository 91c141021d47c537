import type { Notification } from '../../schema/notification.ts';
import type { AgentSetup, Remark } from '../driver.ts';
import { isProseId, proseId, proseQuestions } from '../questions/prose-question.ts';
import type { Thread } from '../run/background-tasks.ts';
import { record } from '../stream/agent-reader.ts';
import type {
  MessageEvent,
  RequestEvent,
  ResponseEvent,
  ResultEvent,
  StreamEvent,
  ToolEvent,
} from '../stream/events.ts';
import { Background } from './background.ts';
import { type Action, BEGINNING, cannotAsk, type Dialogue, emit, send } from './dialogue.ts';
import { Permissions, PlanShown } from './permissions.ts';
import { Questions } from './questions.ts';
import { Said } from './said.ts';
import * as wire from './wire.ts';
import { ASK_TOOL, HUMAN_TOOL, humanServer, isAtLeast, isForHuman, PARKS_SINCE } from './wire.ts';

export interface ControlPlan {
  name: string;
  setup: Pick<AgentSetup, 'mustAsk' | 'parkAfterMs' | 'backgroundWaitMs'>;
  /** The first message; undefined when a session is resumed. */
  prompt?: string;
  /** What people said before the session was resumed. */
  words?: string;
  /** What was settled since, keyed by the call that asked. */
  settled: ReadonlyMap<string, Notification>;
}

/** How much longer the CLI's hook timeout is than ours, so that ours expires first. */
const HOOK_MARGIN_S = 3600;
/** How long a resumed session may take to become ready, and then to repeat its question. */
const READY_MS = 60_000;
const AGAIN_MS = 1000;
const AGAIN_WHEN_BUSY_MS = 15_000;
/** How long the CLI may take to begin a turn because of a message that arrived at the end of the last one. */
const TAKEN_MS = 5000;
/** The same, once the message is in its transcript: then it was usually part of the last turn. */
const TAKEN_UP_MS = 500;

/** Claude Code with the control protocol: questions and answers pass through stdin and stdout of the same process. */
export class ControlDialogue implements Dialogue {
  readonly #plan: ControlPlan;
  readonly #questions: Questions;
  readonly #permissions = new Permissions();
  readonly #plans = new PlanShown();
  readonly #background: Background;
  readonly #said = new Said();
  #version: string | undefined;
  #message = '';
  #isSynthetic = false;
  #isBusy = false;
  #isClosed = false;
  #isParked = false;
  #isInterrupted = false;
  /** Turns that have begun. */
  #turns = 0;
  /** The last turn has ended, but a message that was sent during it may begin another one. */
  #mayContinue = false;
  /** True while a resumed session may still repeat its question by itself. */
  #isListening = false;

  constructor(plan: ControlPlan) {
    const { setup, settled } = plan;
    this.#plan = plan;
    this.#background = new Background(plan.name, setup);
    this.#questions = new Questions({ hold: (id) => this.#hold(id), settled });
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

  get isLingering(): boolean {
    return !this.#isBusy && !this.isWaiting && !this.#isClosed && this.#background.hasPendingWork;
  }

  begin(): Action[] {
    const { prompt, words = '', setup, settled } = this.#plan;
    const { parkAfterMs } = setup;
    const holdSeconds = parkAfterMs === undefined ? undefined : Math.ceil(parkAfterMs / 1000) + HOOK_MARGIN_S;
    const start = send(wire.initialize(holdSeconds));
    this.#isBusy = true;
    if (prompt !== undefined) return [start, send(wire.userMessage(prompt))];
    // Only a call can be repeated; a question in plain text ended its turn.
    this.#isListening = [...settled.keys()].some((id) => !isProseId(id));
    if (words !== '') this.#said.add(BEGINNING, words);
    return [start, ...(this.#isListening ? this.#listen(READY_MS) : this.#say())];
  }

  hear(event: StreamEvent): Action[] {
    switch (event.type) {
      case 'session':
        if (!event.init) return [];
        this.#version = event.version ?? this.#version;
        return cannotAsk(this.#plan.name, this.#plan.setup.mustAsk, event);
      case 'turn':
        this.#background.turnBegan(this.#isBusy);
        this.#turns += 1;
        this.#mayContinue = false;
        return this.#markBusy();
      case 'message':
        return event.parent === undefined ? this.#spoke(event) : [];
      case 'text':
        if (event.parent !== undefined || this.#isSynthetic) return [];
        this.#plans.said(event);
        return [emit({ kind: 'text', text: event.text })];
      case 'tool':
        return this.#called(event);
      case 'question':
        this.#isListening &&= event.place !== 'hook' && event.place !== 'request';
        return [
          ...((event.place === 'elicitation' ? this.#permissions.elicited(event) : undefined) ??
            this.#questions.heard(event, this.#threadOf(event))),
          ...this.#sayWhileBusy(),
        ];
      case 'permission':
        return event.tool === HUMAN_TOOL
          ? this.#questions.toolAsked(event, this.#threadOf(event))
          : this.#permissions.asked(event, this.#threadOf(event), this.#plans.in(event));
      case 'tool-result':
        return this.#questions.resulted(event.toolUseId, event.isError);
      case 'request-closed': {
        const requestId = String(event.requestId);
        return [
          ...this.#questions.cancelled(requestId),
          ...this.#permissions.cancelled(requestId),
          ...this.#whenIdle(),
        ];
      }
      case 'request':
        return this.#requested(event);
      case 'response':
        return this.#answered(event);
      case 'result':
        return this.#turnEnded(event);
      case 'task':
      case 'tasks':
      case 'wake-up':
      case 'state':
        this.#background.hear(event);
        return this.#whenIdle();
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
    if (this.#isClosed) return [{ do: 'delivered', askId, delivered: false }];
    const { words } = this.#questions;
    if (!words.awaits(askId)) {
      const sent = this.#questions.answer(askId, settled);
      // Between two turns, no message of the model will show that the answer arrived.
      return this.#isBusy ? sent : [...sent, ...this.#questions.turnEnded(true), ...this.#whenIdle()];
    }
    words.settle(askId, settled);
    return this.#whenIdle();
  }

  permit(id: string, allowed: boolean, remark: Remark): Action[] {
    const actions = this.#permissions.permit(id, allowed, remark);
    // A message that arrives while the agent works reaches the model with the tool's result.
    if (actions.length > 1) this.#isBusy = true;
    return [...actions, ...this.#whenIdle()];
  }

  say(id: string, words: string): Action[] {
    if (this.#isClosed) return [{ do: 'delivered', askId: id, delivered: false }];
    this.#said.add(id, words);
    return this.#isBusy ? this.#sayWhileBusy() : this.#whenIdle();
  }

  taken(id: string): Action[] {
    this.#said.taken(id);
    return this.#mayContinue && !this.#said.isUntaken ? this.#continueWithin(TAKEN_UP_MS) : [];
  }

  giveUp(): Action[] {
    this.#isClosed = true;
    return this.#background.giveUp();
  }

  exited(): Action[] {
    const asked = this.#questions.askUnasked();
    this.#isParked ||= asked.length > 0;
    return asked;
  }

  interrupt(): Action[] {
    this.#isInterrupted = true;
    return this.#isBusy ? [send(wire.interrupt())] : this.#close();
  }

  /** Parks the run, or lets its process wait, if nobody has answered by then. */
  #hold(askId: string): Action[] {
    const { parkAfterMs: ms } = this.#plan.setup;
    return ms === undefined ? [] : [{ do: 'after', ms, run: () => this.#due(askId) }];
  }

  #due(askId: string): Action[] {
    const { words } = this.#questions;
    const { needsProcess, hasPendingWork, wakesWithin } = this.#background;
    const isPermitted = !this.#permissions.isWaiting;
    if (!words.awaits(askId)) {
      const parks = isPermitted && !needsProcess && isAtLeast(this.#version, PARKS_SINCE);
      return this.#questions.due(askId, parks);
    }
    if (this.#isBusy || !isPermitted || hasPendingWork || wakesWithin > 0) return this.#hold(askId);
    this.#isParked = true;
    return this.#close();
  }

  /** Waits for the agent to repeat its question. */
  #listen(ms: number): Action[] {
    return [{ do: 'after', ms, run: () => this.#quiet() }];
  }

  /** The call that asked is gone, so the session did not repeat its question, and we send both question and answer. */
  #quiet(): Action[] {
    if (!this.#isListening) return [];
    this.#isListening = false;
    return this.#say();
  }

  #threadOf({ parent, taskId, toolUseId }: { parent?: string; taskId?: string; toolUseId?: string }): Thread {
    return this.#background.thread({ taskId, parent: parent ?? this.#questions.parentOf(toolUseId) });
  }

  #requested({ requestId, kind, request }: RequestEvent): Action[] {
    if (!isForHuman(kind, request)) return [send(wire.unsupported(String(requestId), kind))];
    const call = humanServer(request);
    if ('response' in call) return [send(wire.success(String(requestId), call.response))];
    return this.#questions.toolCalled(call, String(requestId), this.#threadOf(call));
  }

  #markBusy(): Action[] {
    this.#isBusy = true;
    return this.#questions.words.taken();
  }

  #spoke(event: MessageEvent): Action[] {
    this.#message = event.messageId ?? this.#message;
    this.#isSynthetic = event.model === wire.SYNTHETIC;
    return [...this.#markBusy(), ...this.#questions.agentContinued(event)];
  }

  #called(event: ToolEvent): Action[] {
    this.#questions.called(event);
    this.#plans.called(event);
    this.#background.called(event);
    const { toolUseId: id = '', name, input, parent } = event;
    if (name === ASK_TOOL || name === HUMAN_TOOL) return [];
    return [emit({ kind: 'tool', id, name, input, ...(parent ? { parent } : {}) })];
  }

  /** Once ready, a parked session continues by itself; any other waits for a message. */
  #answered({ requestId, response }: ResponseEvent): Action[] {
    if (requestId !== wire.INITIALIZE || !this.#isListening) return [];
    const state = record(response).session_state;
    if (state === 'idle') return this.#quiet();
    return this.#listen(state === undefined ? AGAIN_MS : AGAIN_WHEN_BUSY_MS);
  }

  #turnEnded(result: ResultEvent): Action[] {
    this.#isBusy = false;
    this.#isListening = false;
    if (result.deferred) {
      this.#isParked = true;
      return this.#close();
    }
    const actions = this.#questions.turnEnded(result.ok);
    if (!result.ok || this.#isInterrupted) return [...actions, ...this.#close()];
    if (this.#said.isUntaken) {
      this.#isBusy = true;
      this.#mayContinue = true;
      return [...actions, ...this.#continueWithin(TAKEN_MS)];
    }
    const asked = this.#questions.askUnasked();
    const inWords = asked.length > 0 ? asked : this.#askedInWords(result.text ?? '');
    return [...actions, ...inWords, ...this.#whenIdle()];
  }

  #askedInWords(text: string): Action[] {
    const { words, areQuiet } = this.#questions;
    if (!this.#plan.setup.mustAsk || words.isReady || !areQuiet) return [];
    const questions = proseQuestions(text);
    return questions.length > 0 ? this.#questions.askInWords(proseId(this.#message), questions, true) : [];
  }

  /** Between two turns: sends settled answers. If nothing is left to send, to wait for or to finish, the run is over. */
  #whenIdle(): Action[] {
    if (this.#isBusy || this.#isClosed) return [];
    if (this.#questions.words.isReady) return this.#say();
    if (this.#said.isReady) return this.#sayWhileBusy();
    if (this.isWaiting) return [];
    if (this.isLingering) return this.#background.tell();
    const ms = this.#background.wakesWithin;
    return ms > 0 ? [{ do: 'after', ms, run: () => this.#whenIdle() }] : this.#close();
  }

  #say(): Action[] {
    this.#isBusy = true;
    return [send(wire.userMessage(this.#questions.words.say(this.#said.send())))];
  }

  /** A message reaches the model with the next result of a tool, or begins the next turn. It would void a question that comes again. */
  #sayWhileBusy(): Action[] {
    if (this.#isListening || !this.#said.isReady) return [];
    this.#isBusy = true;
    return [send(wire.userMessage(this.#said.send()))];
  }

  /** If no turn begins by then, the last one was the last. */
  #continueWithin(ms: number): Action[] {
    const turns = this.#turns;
    const end = () => {
      if (!this.#mayContinue || this.#turns !== turns) return [];
      this.#mayContinue = false;
      this.#isBusy = false;
      this.#said.forget();
      return this.#whenIdle();
    };
    return [{ do: 'after', ms, run: end }];
  }

  #close(): Action[] {
    this.#isClosed = true;
    return [{ do: 'close' }];
  }
}
