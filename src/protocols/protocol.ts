import { FermataError } from '../schema/error.ts';

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

/** Something wrong in a protocol's file. A protocol with only warnings can be followed. */
export interface Problem extends FilePosition {
  severity: 'error' | 'warning';
  message: string;
}

export function errorAt(at: FilePosition, message: string): Problem {
  return { severity: 'error', ...at, message };
}

export function warningAt(at: FilePosition, message: string): Problem {
  return { severity: 'warning', ...at, message };
}

/** `.claude/protocols/mine.yaml:7:3: …` */
export function problemLine({ severity, file, line, column, message }: Problem): string {
  return `${file}:${line}:${column}: ${severity === 'warning' ? 'warning: ' : ''}${message}`;
}

const MAX_SHOWN = 20;

export function refuseErrors(problems: readonly Problem[]): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  const more = errors.length > MAX_SHOWN ? [`… and ${errors.length - MAX_SHOWN} more.`] : [];
  const lines = [...errors.slice(0, MAX_SHOWN).map(problemLine), ...more];
  throw new FermataError('invalid', lines.join('\n'), { details: errors });
}

/** Someone else's text inside our sentence. */
export const shown = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

const MAX_NAMES = 20;

/** `Protocols: a, b and more.` */
export function listNames(names: readonly string[]): string {
  return `Protocols: ${names.slice(0, MAX_NAMES).map(shown).join(', ')}${names.length > MAX_NAMES ? ' and more' : ''}.`;
}

/** A name is also the name of a file, so it must not contain a path. */
export function nameFault(name: string): string | undefined {
  // Most names are plain, and the tables of Unicode take a millisecond to load.
  if (/^\w[\w.-]{0,99}$/.test(name) || /^[\p{L}\p{N}_][\p{L}\p{N}._-]{0,99}$/u.test(name)) return undefined;
  return `"${shown(name)}" cannot be the name of a protocol: use letters, digits, "-", "_" and ".", without a path.`;
}
