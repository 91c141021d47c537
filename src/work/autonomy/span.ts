/** The work that is looked at: what a later commit has that an earlier one has not. */
export interface Span {
  /** A folder of the repository. */
  folder: string;
  base: string;
  tip: string;
}
