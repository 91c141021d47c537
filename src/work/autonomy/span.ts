/** The work to check: what a later commit has and an earlier one does not. */
export interface Span {
  /** A folder of the repository. */
  folder: string;
  base: string;
  tip: string;
}
