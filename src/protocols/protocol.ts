/** A place in a protocol's file; lines and columns start at 1. */
export interface FilePosition {
  file: string;
  line: number;
  column: number;
}

export interface ProtocolInput {
  name: string;
  type: string;
  optional: boolean;
  description: string;
}

export interface ProtocolOutput {
  value: string;
  description: string;
}

/** What an agent follows: it includes everything inherited, and the steps are numbered in sequence. */
export interface Protocol {
  name: string;
  description: string;
  inputs: ProtocolInput[];
  outputs: ProtocolOutput[];
  steps: Step[];
}

export interface Step {
  number: number;
  /** The author's key, such as `6.1`. */
  key: string;
  text: string;
  from: Origin;
  /** The places that appended to it. */
  appended?: Origin[];
}

export type Origin = Pick<FilePosition, 'file' | 'line'>;

/** One file, before anything is inherited. */
export interface Declaration {
  name: string;
  description: string | null;
  extends: { name: string; at: FilePosition } | null;
  /** Null: inherited. */
  inputs: ProtocolInput[] | null;
  outputs: ProtocolOutput[] | null;
  steps: StepDeclaration[];
  at: FilePosition;
}

/** One entry under `steps`. */
export interface StepDeclaration {
  key: string;
  append: boolean;
  text: string;
  at: FilePosition;
  /** The line of the text's first line, if the file has the text line by line (after `|`). */
  textAt?: Omit<FilePosition, 'file'>;
}
