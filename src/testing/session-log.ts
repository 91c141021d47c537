import { existsSync, rmSync } from 'node:fs';
import { append, readLines } from './state-folder.ts';

/** A tool call of the agent, as in its message. */
export interface Call {
  toolUseId: string;
  tool: string;
  input: Record<string, unknown>;
  parent?: string;
  /** The scenario's names for the questions of a question call, in their order. */
  questionIds?: string[];
}

export interface Given {
  questionId: string;
  question: string;
  answer: string;
}

/** What happened in a session, in order. */
export type Entry =
  | { type: 'began'; cwd: string; at: string }
  | { type: 'user'; text: string }
  | { type: 'turn'; invocation: number }
  | { type: 'step'; step: number }
  | { type: 'said'; text: string }
  | { type: 'asked'; call: Call }
  | { type: 'answered'; toolUseId: string; answers: Given[] }
  | { type: 'refused'; toolUseId: string; message: string }
  | { type: 'parked'; call: Call; alone: boolean }
  /** The process died with this call open. */
  | { type: 'lost'; toolUseId: string; kept: boolean }
  | { type: 'interrupted' }
  | { type: 'ended' };

/** The state of a session. */
export interface Standing {
  cwd: string;
  /** The unfinished invocation and its next step. */
  at?: { invocation: number; step: number };
  /** Questions that are waiting now. */
  open: Call[];
  /** All questions without an answer; a later text may bring one. */
  unanswered: Call[];
  /** Of these, the ones of the last step that were open when the process died. */
  lost: Call[];
  /** The call whose answer a parked run waits for. */
  parked?: { call: Call; alone: boolean };
  given: Given[];
  /** How many invocations it has taken. */
  turns: number;
  /** How many questions it has asked. */
  asked: number;
}

/** A session's log, written as things happen, so that it survives a kill. */
export class SessionLog {
  readonly id: string;
  readonly #file: string;
  readonly #entries: Entry[];
  readonly #flushAfterMs: number;
  #waiting: Entry[] = [];

  private constructor(id: string, file: string, entries: Entry[], flushAfterMs: number) {
    this.id = id;
    this.#file = file;
    this.#entries = entries;
    this.#flushAfterMs = flushAfterMs;
  }

  static begin(id: string, file: string, cwd: string, flushAfterMs: number): SessionLog {
    rmSync(file, { force: true });
    const session = new SessionLog(id, file, [], flushAfterMs);
    session.add({ type: 'began', cwd, at: new Date().toISOString() });
    return session;
  }

  static open(id: string, file: string, flushAfterMs: number): SessionLog | undefined {
    return existsSync(file) ? new SessionLog(id, file, readLines<Entry>(file), flushAfterMs) : undefined;
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
    this.#waiting.push(entry);
    if (this.#flushAfterMs === 0) this.flush();
    else if (this.#waiting.length === 1) setTimeout(() => this.flush(), this.#flushAfterMs).unref();
  }

  flush(): void {
    append(this.#file, this.#waiting.splice(0));
  }

  get standing(): Standing {
    return replay(this.#entries);
  }
}

function replay(entries: readonly Entry[]): Standing {
  const standing: Standing = { cwd: '', open: [], unanswered: [], lost: [], given: [], turns: 0, asked: 0 };
  for (const entry of entries) apply(standing, entry);
  return standing;
}

function apply(standing: Standing, entry: Entry): void {
  switch (entry.type) {
    case 'began':
      standing.cwd = entry.cwd;
      return;
    case 'turn':
      standing.at = { invocation: entry.invocation, step: 0 };
      standing.turns += 1;
      return;
    case 'step':
      // A step that has begun is not repeated, because a step that crashes would crash forever.
      if (standing.at) standing.at.step = entry.step + 1;
      standing.lost = [];
      return;
    case 'asked':
      standing.open.push(entry.call);
      standing.unanswered.push(entry.call);
      standing.asked += entry.call.questionIds?.length ?? 0;
      return;
    case 'answered':
      standing.given.push(...entry.answers);
      standing.unanswered = without(standing.unanswered, entry.toolUseId);
      standing.lost = without(standing.lost, entry.toolUseId);
      settle(standing, entry.toolUseId);
      return;
    case 'refused':
      settle(standing, entry.toolUseId);
      return;
    case 'lost':
      standing.lost.push(...standing.open.filter(({ toolUseId }) => toolUseId === entry.toolUseId));
      settle(standing, entry.toolUseId);
      return;
    case 'parked':
      // If several are parked, only the last one stays, as in the real program.
      standing.open = [];
      standing.parked = { call: entry.call, alone: entry.alone };
      return;
    case 'ended':
      standing.at = undefined;
      return;
    case 'user':
    case 'said':
    case 'interrupted':
      return;
    default: {
      const never: never = entry;
      throw new Error(`A session has no ${JSON.stringify(never)}.`);
    }
  }
}

function settle(standing: Standing, toolUseId: string): void {
  standing.open = without(standing.open, toolUseId);
  if (standing.parked?.call.toolUseId === toolUseId) standing.parked = undefined;
}

const without = (calls: Call[], toolUseId: string) => calls.filter((call) => call.toolUseId !== toolUseId);
