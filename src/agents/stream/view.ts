import { addUsage, noUsage, type Usage } from '../driver.ts';
import { BoundedText } from './agent-reader.ts';
import type { MalformedEvent, ResultEvent, StreamEvent } from './events.ts';
import { type AskedCall, QuestionRegister } from './questions.ts';

/** How a run ended, as far as its output shows; its exit code is not part of that. */
export type StreamEnd =
  | { kind: 'ok'; text: string }
  /** Parked on a question: it can be resumed with the answer. */
  | { kind: 'deferred'; toolUseId: string | null }
  | { kind: 'error'; message: string; subtype?: string; apiStatus?: number | null }
  | { kind: 'interrupted'; message: string }
  /** There is no result, or something came after the last one. */
  | { kind: 'unfinished' };

/** Everything that an agent's output says about its run. */
export interface RunView {
  sessionId: string | null;
  model: string | null;
  version: string | null;
  /** Null if the agent did not list its tools. */
  tools: string[] | null;
  end: StreamEnd;
  stopReason: string | null;
  turns: number;
  questions: AskedCall[];
  /** The agent's own text, without thinking and sub-agents. */
  text: string;
  /** True if `text` is only the beginning. */
  textCut: boolean;
  usage: Usage;
  /** `session` if the figures include earlier runs of the session (Codex). */
  usageOf: 'run' | 'session';
  toolCalls: number;
  skippedLines: number;
  /** The first lines that could not be read. */
  skipped: MalformedEvent[];
  errors: string[];
  warnings: string[];
}

const MAX_KEPT = 100;
const MAX_KEPT_LENGTH = 4000;

/** Builds one view from the events of a run, in bounded memory. */
export class RunFold {
  #session: { id: string; init: boolean } | undefined;
  #about: Pick<RunView, 'model' | 'version' | 'tools'> = { model: null, version: null, tools: null };
  #stopReason: string | null = null;
  /** The message whose stop reason that is. */
  #stopping: string | undefined;
  #end: StreamEnd = { kind: 'unfinished' };
  #turns = 0;
  #toolCalls = 0;
  #skippedLines = 0;
  #usageOf: RunView['usageOf'] = 'run';
  #lastMessage: string | undefined;
  readonly #text = new BoundedText();
  readonly #usage = new UsageTally();
  readonly #questions = new QuestionRegister();
  readonly #skipped: MalformedEvent[] = [];
  readonly #errors: string[] = [];
  readonly #warnings: string[] = [];

  add(event: StreamEvent): void {
    switch (event.type) {
      case 'session':
        if (!this.#session || (event.init && !this.#session.init)) {
          this.#session = { id: event.sessionId, init: event.init };
        }
        this.#about.model ??= event.model ?? null;
        this.#about.version ??= event.version ?? null;
        this.#about.tools = event.tools ?? this.#about.tools;
        break;
      case 'turn':
        if (event.parent === undefined) this.#markUnfinished();
        break;
      case 'message':
        if (event.usage) this.#usage.message(event.messageId, event.usage);
        if (event.parent !== undefined) break;
        this.#markUnfinished();
        this.#about.model = event.model ?? this.#about.model;
        if (event.messageId !== this.#stopping) this.#stopReason = null;
        this.#stopping = event.messageId;
        this.#stopReason = event.stopReason ?? this.#stopReason;
        break;
      case 'text':
        if (event.parent === undefined) this.#speak(event.text, event.messageId);
        break;
      case 'tool':
        this.#toolCalls += 1;
        if (event.parent !== undefined && event.toolUseId !== undefined) {
          this.#questions.toolUse(event.toolUseId, event.parent);
        }
        break;
      case 'tool-result':
        this.#questions.outcome(event.toolUseId, event.isError);
        break;
      case 'question':
        if (event.parent === undefined) this.#markUnfinished();
        this.#questions.add(event);
        break;
      case 'permission':
        if (event.parent === undefined) this.#markUnfinished();
        break;
      case 'request-closed':
        this.#questions.requestClosed(event.requestId, event.cancelled);
        break;
      case 'notice':
        keep(event.level === 'error' ? this.#errors : this.#warnings, event.message);
        break;
      case 'result':
        if (event.parent === undefined) this.#result(event);
        break;
      case 'malformed':
        this.#skippedLines += 1;
        if (this.#skipped.length < MAX_KEPT) this.#skipped.push(event);
        break;
      case 'response':
        if (event.error !== undefined) keep(this.#errors, event.error);
        break;
      case 'request':
      case 'task':
      case 'tasks':
      case 'wake-up':
      case 'state':
        break;
      default:
        event satisfies never;
    }
  }

  get usage(): Usage {
    return this.#usage.total;
  }

  view(): RunView {
    const questions = this.#questions;
    const { lost } = questions;
    return {
      sessionId: this.#session?.id ?? null,
      ...this.#about,
      end: this.#end,
      stopReason: this.#stopReason,
      turns: this.#turns,
      get questions() {
        return questions.calls;
      },
      text: this.#text.empty && this.#end.kind === 'ok' ? this.#end.text : this.#text.text,
      textCut: this.#text.cut,
      usage: this.#usage.total,
      usageOf: this.#usageOf,
      toolCalls: this.#toolCalls,
      skippedLines: this.#skippedLines,
      skipped: [...this.#skipped],
      errors: [
        ...this.#errors,
        ...(lost > 0 ? [`The agent asked too many questions; ${lost} were dropped.`] : []),
      ],
      warnings: [...this.#warnings],
    };
  }

  /** After a result, a process may begin another turn. */
  #markUnfinished(): void {
    if (this.#end.kind !== 'unfinished') this.#end = { kind: 'unfinished' };
  }

  /** Separates messages, but not the pieces of one message. */
  #speak(text: string, messageId: string | undefined): void {
    if (text === '') return;
    const another =
      messageId !== this.#lastMessage && this.#lastMessage !== undefined && messageId !== undefined;
    const glued = another && isInk(this.#text.lastCode) && isInk(text.charCodeAt(0));
    this.#text.add(glued ? `\n\n${text}` : text);
    this.#lastMessage = messageId;
    this.#markUnfinished();
  }

  #result(event: ResultEvent): void {
    this.#turns += 1;
    this.#usage.turn(event.usage, event.isUsageOfSession);
    if (event.usage && event.isUsageOfSession) this.#usageOf = 'session';
    if (event.costUsd !== undefined) this.#usage.cost(event.costUsd);
    this.#stopReason = event.stopReason ?? this.#stopReason;
    if ((event.ok && !event.deferred) || event.interrupted)
      this.#questions.turnEnded(event.interrupted ?? false);
    for (const error of event.errors) keep(this.#errors, error);
    this.#end = endOf(event);
  }
}

function endOf(event: ResultEvent): StreamEnd {
  const { ok, interrupted, deferred, subtype, errors, apiStatus } = event;
  const message = errors[0] ?? 'The agent reports an error.';
  if (interrupted) return { kind: 'interrupted', message };
  if (!ok) {
    const api = apiStatus === undefined ? {} : { apiStatus };
    return { kind: 'error', message, ...(subtype === undefined ? {} : { subtype }), ...api };
  }
  if (deferred) return { kind: 'deferred', toolUseId: deferred.toolUseId ?? null };
  return { kind: 'ok', text: event.text ?? '' };
}

/** Whether the character with this code is visible; false for NaN. */
function isInk(code: number): boolean {
  return code > 0x20 && code !== 0xa0;
}

/** Drops an immediate repetition. */
function keep(messages: string[], message: string): void {
  const text = message.slice(0, MAX_KEPT_LENGTH);
  if (messages.length < MAX_KEPT && messages.at(-1) !== text) messages.push(text);
}

/** At least this many messages are distinguished; older ones are counted and forgotten. */
const MIN_KNOWN = 1000;

/**
 * Adds up tokens: each message once, however often it is reported. The figures of a turn's result replace those of its
 * messages.
 */
class UsageTally {
  /** Finished turns. */
  #settled = noUsage;
  /** Messages of this turn that are no longer distinguished. */
  #earlier = noUsage;
  /** The messages of this turn; undefined for messages of earlier turns, which may be reported again. */
  #messages = new Map<string, Usage | undefined>();
  #before = new Map<string, Usage | undefined>();
  #cost: number | undefined;
  #costOfProcess = 0;

  message(id: string | undefined, usage: Usage): void {
    if (id === undefined) {
      this.#earlier = addUsage(this.#earlier, usage);
      return;
    }
    const known = this.#messages.has(id) ? this.#messages : this.#before.has(id) ? this.#before : undefined;
    const before = known?.get(id);
    if (known && before === undefined) return;
    (known ?? this.#messages).set(id, before ? most(before, usage) : usage);
    if (!known && this.#messages.size >= MIN_KNOWN) this.#forget();
  }

  /** The end of a turn; `usage` is for the turn, or for the whole session so far. */
  turn(usage: Usage | undefined, isOfSession = false): void {
    if (usage && isOfSession) this.#settled = usage;
    else this.#settled = addUsage(this.#settled, usage ?? this.#open());
    for (const messages of [this.#messages, this.#before]) {
      for (const id of messages.keys()) messages.set(id, undefined);
    }
    this.#earlier = noUsage;
  }

  /** The agent reports what its process has cost so far; less than before means that it is a new process. */
  cost(usd: number): void {
    const before = this.#costOfProcess;
    this.#cost = (this.#cost ?? 0) + (usd >= before ? usd - before : usd);
    this.#costOfProcess = usd;
  }

  get total(): Usage {
    const total = addUsage(this.#settled, this.#open());
    return this.#cost === undefined ? total : { ...total, costUsd: this.#cost };
  }

  #open(): Usage {
    return sum([...this.#messages.values(), ...this.#before.values()], this.#earlier);
  }

  #forget(): void {
    this.#earlier = sum([...this.#before.values()], this.#earlier);
    this.#before = this.#messages;
    this.#messages = new Map();
  }
}

function sum(usages: (Usage | undefined)[], start: Usage): Usage {
  return usages.reduce<Usage>((total, usage) => (usage ? addUsage(total, usage) : total), start);
}

/** The figures of a message only grow while it arrives. */
function most(a: Usage, b: Usage): Usage {
  return {
    inputTokens: Math.max(a.inputTokens, b.inputTokens),
    outputTokens: Math.max(a.outputTokens, b.outputTokens),
    cacheReadTokens: Math.max(a.cacheReadTokens, b.cacheReadTokens),
    cacheCreationTokens: Math.max(a.cacheCreationTokens, b.cacheCreationTokens),
  };
}
