/** What the racing processes tell the test. */
export type Answered =
  | { name: string; won: true }
  | { name: string; won: false; code: string; message: string; details: unknown };

export interface Claimed {
  task: string;
  worker: string;
  fence: number;
}
