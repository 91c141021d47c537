import type { Env } from '../../config/home.ts';
import type { Issue } from '../issue.ts';

/** Which of the open issues are meant; without a filter all of them. */
export interface IssueFilter {
  /** The title of a milestone, or its number. */
  milestone?: string | undefined;
  /** An issue has to have all of them. */
  labels?: string[] | undefined;
  /** The newest so many. */
  limit?: number | undefined;
}

/** What reaching GitHub needs from its surroundings. */
export interface Access {
  env: Env;
  signal?: AbortSignal | undefined;
  /** Called with what is going on, for a person who waits; each message replaces the one before. */
  onProgress?: ((message: string) => void) | undefined;
  /** Called with what a person should know also afterwards. */
  onNotice?: ((message: string) => void) | undefined;
}

/** One way to GitHub: its command-line program, or its REST API. */
export interface GitHubClient {
  list(filter: IssueFilter): Promise<Issue[]>;
  view(number: number): Promise<Issue>;
  /** The texts of all comments of an issue. */
  comments(number: number): Promise<string[]>;
  /** Writes a comment; the result is its address. */
  comment(number: number, text: string): Promise<string | undefined>;
}
