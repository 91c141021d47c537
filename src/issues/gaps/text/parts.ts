import type { Topic } from '../words/headings.ts';
import type { Fence } from './fence.ts';
import type { Link } from './mask.ts';

/** A paragraph, an entry of a list, or a row of a table. */
export interface Piece {
  kind: 'paragraph' | 'item' | 'row';
  /** Masked (see mask.ts), on one line; as long as its part of the text. Cells of a row are parted by tabs. */
  text: string;
  at: number;
  ordered: boolean;
  /** Whether it has a box to tick. */
  box: boolean;
  /** Nothing that a person wrote: a field left empty, or the template's own words. */
  placeholder: boolean;
  topic: Topic | undefined;
}

interface Section {
  heading: string;
  at: number;
  level: number;
  topic: Topic | undefined;
  /** Nothing stands under the heading but placeholders. */
  empty: boolean;
}

/** An issue's text, taken apart. Offsets are those of `text`. */
export interface Document {
  text: string;
  pieces: Piece[];
  fences: Fence[];
  sections: Section[];
  links: Link[];
  images: Link[];
}
