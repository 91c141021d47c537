import type { Topic } from '../words/headings.ts';
import type { Fence } from './fence.ts';
import type { Link } from './mask.ts';

/** A paragraph, an entry of a list, or a row of a table. */
export interface Piece {
  kind: 'paragraph' | 'item' | 'row';
  /** Masked (see mask.ts), on one line, as long as its part of the text. Cells of a row are separated by tabs. */
  text: string;
  at: number;
  ordered: boolean;
  /** Whether it has a box to tick. */
  box: boolean;
  /** Not written by a person: an empty field, or the template's own words. */
  placeholder: boolean;
  topic: Topic | undefined;
}

interface Section {
  heading: string;
  at: number;
  level: number;
  topic: Topic | undefined;
  /** The section contains only placeholders. */
  empty: boolean;
}

/** The parts of an issue's text. Offsets refer to `text`. */
export interface Document {
  text: string;
  pieces: Piece[];
  fences: Fence[];
  sections: Section[];
  links: Link[];
  images: Link[];
}
