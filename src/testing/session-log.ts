import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

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
interface Standing {
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

/** One input of an agent, with how its process was started. */
export interface TurnRecord {
  /** Which invocation of the scenario was played, counted from 0. */
  invocation: number;
  /** It continued an interrupted invocation. */
  continued: boolean;
  sessionId: string;
  /** The session that the process was told to resume. */
  resumed?: string;
  prompt?: string;
  args: string[];
  cwd: string;
  pid: number;
  at: string;
}

/** One question's answer as it reached the agent. */
export interface AnswerRecord {
  sessionId: string;
  toolUseId: string;
  questionId: string;
  question: string;
  answer: string;
  /** Through the permission request, the hook, or a text that resumed the session. */
  how: 'control' | 'hook' | 'text';
  pid: number;
  at: string;
}

/** What outlives a process of the scripted agent. Many may work on it at once. */
export class StateFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
    for (const name of ['claims', 'sessions']) mkdirSync(join(path, name), { recursive: true });
  }

  /** Claims the next number that no other process has. */
  claim(): number {
    for (let number = readdirSync(join(this.path, 'claims')).length; ; number += 1) {
      if (this.#claimed(number)) return number;
    }
  }

  #claimed(number: number): boolean {
    try {
      writeFileSync(join(this.path, 'claims', String(number)), `${process.pid}\n`, { flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  recordTurn(turn: TurnRecord): void {
    append(join(this.path, 'turns.jsonl'), [turn]);
  }

  recordAnswers(answers: AnswerRecord[]): void {
    append(join(this.path, 'answers.jsonl'), answers);
  }

  turns(): TurnRecord[] {
    return readLines(join(this.path, 'turns.jsonl'));
  }

  answers(): AnswerRecord[] {
    return readLines(join(this.path, 'answers.jsonl'));
  }

  sessionFile(id: string): string {
    return join(this.path, 'sessions', `${encodeURIComponent(id)}.jsonl`);
  }
}

/** Appends all lines in one write, so that lines of several processes do not mix. */
function append(file: string, values: unknown[]): void {
  if (values.length > 0) appendFileSync(file, values.map((value) => `${JSON.stringify(value)}\n`).join(''));
}

/** Reads such a file without a last line that a kill cut off. */
export function readLines<T>(file: string): T[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as T);
}
