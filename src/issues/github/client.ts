import type { Env } from '../../config/home.ts';
import { FermataError } from '../../schema/error.ts';
import type { Issue } from '../issue.ts';

/** Which open issues to read; all without a filter. */
export interface IssueFilter {
  /** The title of a milestone, or its number. */
  milestone?: string | undefined;
  /** An issue must have all of them. */
  labels?: string[] | undefined;
  /** Only the newest ones, up to this number. */
  limit?: number | undefined;
}

/** What reaching GitHub needs from its surroundings. */
export interface Access {
  env: Env;
  signal?: AbortSignal | undefined;
  /** Called with the current activity, for a person who waits; each message replaces the previous one. */
  onProgress?: ((message: string) => void) | undefined;
  /** Called with what a person should still know afterwards. */
  onNotice?: ((message: string) => void) | undefined;
}

/** One way to reach GitHub: its command-line program, or its REST API. */
export interface GitHubClient {
  list(filter: IssueFilter): Promise<Issue[]>;
  view(number: number): Promise<Issue>;
  /** The texts of all comments of an issue. */
  comments(number: number): Promise<string[]>;
  /** Writes a comment; returns its address. */
  comment(number: number, text: string): Promise<string | undefined>;
}

export function isPullRequest(number: number): FermataError {
  return new FermataError('invalid', `#${number} is a pull request, not an issue.`);
}
