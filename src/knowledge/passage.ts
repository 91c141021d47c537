/** A part of a document under one heading, short enough to read at once. */
export interface Passage {
  /** The title of the document. */
  title: string;
  /** From the outermost heading inward: `Install › Linux`; the title if there is none. */
  heading: string;
  /** Lines start at 1. */
  first: number;
  last: number;
  text: string;
}
