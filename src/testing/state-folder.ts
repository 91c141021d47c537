import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
export function append(file: string, values: unknown[]): void {
  if (values.length > 0) appendFileSync(file, values.map((value) => `${JSON.stringify(value)}\n`).join(''));
}

/** Reads such a file without a last line that a kill cut off. */
export function readLines<T>(file: string): T[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as T);
}
