import { rmSync } from 'node:fs';
import { scriptedAgentProgram } from '../agents/process/program.ts';
import type { Entry } from './session-log.ts';
import { type AnswerRecord, readLines, StateFolder, type TurnRecord } from './state-folder.ts';

/** A scenario on disk, ready to be played, and its results. */
export class ScenarioHandle {
  /** The program that plays it; use it in place of the agent's program. */
  readonly program = scriptedAgentProgram();
  readonly file: string;
  /** What the program needs in its environment. */
  readonly env: { FAKE_CLAUDE_CONFIG: string };
  readonly #state: StateFolder;
  readonly #owned: string[];

  constructor(file: string, state: string, owned: string[]) {
    this.file = file;
    this.env = { FAKE_CLAUDE_CONFIG: file };
    this.#state = new StateFolder(state);
    this.#owned = owned;
  }

  /** The inputs so far, each with the command line of its process. */
  invocations(): TurnRecord[] {
    return this.#state.turns();
  }

  /** The answers that have reached the agent. */
  answers(): AnswerRecord[] {
    return this.#state.answers();
  }

  /** What happened in a session. */
  transcript(sessionId: string): Entry[] {
    return readLines(this.#state.sessionFile(sessionId));
  }

  /** Removes what `build` created. */
  remove(): void {
    for (const path of this.#owned) rmSync(path, { recursive: true, force: true });
  }
}
