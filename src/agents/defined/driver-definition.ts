import type { Notification } from '../../schema/notification.ts';
import type { AgentEvent, AgentSetup, Remark } from '../driver.ts';

/** How to start an agent's program. */
export interface Launch {
  args: string[];
  /** Written to its stdin, one line each; stdin stays open for answers. */
  input?: string[];
}

/** What a line of an agent's output means. `done` and `failed` end the run. */
export type Reading = AgentEvent | { kind: 'done'; text: string } | { kind: 'failed'; message: string };

/** An answer for an agent: in words, and as it is stored. */
export interface Told {
  text: string;
  notifications: Notification[];
}

/** One agent program that prints lines and reads lines. */
export interface DriverDefinition {
  name: string;
  /** The program, as a name on the PATH or a path; `AgentSetup.program` takes precedence. */
  program: string;
  /** The names of variables that its process may see besides the common ones, such as its API key. */
  environment?: RegExp;
  start(prompt: string, setup: AgentSetup): Launch;
  /** Delivers answers to a session whose process is gone. */
  resume(sessionId: string, told: Told, setup: AgentSetup): Launch;
  /** Reads one line of its output. If it throws, the line is counted and skipped. */
  read(line: string): Reading[];
  /** The line that answers a question of its `question` event. */
  answer(askId: string, told: Told): string;
  /** The line that decides a `permission` event. Without it, the agent's program must not ask for permissions. */
  permit?(id: string, allowed: boolean, remark: Remark): string;
}
