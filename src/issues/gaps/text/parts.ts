import type { Topic } from '../words/headings.ts';
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

export type FenceKind = 'stack_trace' | 'error_output' | 'diff' | 'scenario' | 'code' | 'prose' | 'empty';

interface Fence {
  kind: FenceKind;
  /** The first line that has something on it. */
  text: string;
  at: number;
  lines: number;
  topic: Topic | undefined;
}

const traces = [
  /^[ \t]*at .{1,300}[:(]\S{0,300}:\d+/m,
  /Traceback \(most recent call last\)/,
  /^[ \t]*File "[^"]{1,300}", line \d+/m,
  /panicked at |goroutine \d+ \[|Exception in thread|^Caused by: |^[ \t]*#\d+\s+0x[0-9a-f]+/m,
  /\.(?:java|kt|scala|rb|php|cs|ex|exs|swift|dart|cpp|c|rs|go|py|[jt]sx?):\d+(?::\d+)?(?::in |\)|\b)/,
];
const errors =
  /\b(?:error|errors|exception|fatal|panic|failed|failure|cannot|undefined|segmentation fault|errno|unable to|not found|denied|ошибка|fehler|erreur)\b|错误|失败|エラー/i;
const codes = /\bE[A-Z]{4,}\b|\bSIG[A-Z]{3,}\b/;
const scenario =
  /^[ \t]*(?:given|when|then|scenario|feature|angenommen|wenn|dann|étant donné|quand|alors|dado|cuando|entonces)\b.{0,200}$/gim;
const READ = 20_000;

export function fenceKind(language: string, text: string, isWholeText: boolean): FenceKind {
  const start = text.slice(0, READ);
  if (start.trim() === '') return 'empty';
  if (language === 'diff' || language === 'patch') return 'diff';
  if (language === 'gherkin' || (start.match(scenario)?.length ?? 0) >= 3) return 'scenario';
  if (traces.some((trace) => trace.test(start))) return 'stack_trace';
  if (isWholeText && isProse(language, start)) return 'prose';
  return errors.test(start) || codes.test(start) ? 'error_output' : 'code';
}

function isProse(language: string, text: string): boolean {
  if (!['', 'text', 'txt', 'md', 'markdown'].includes(language)) return false;
  const words = text.match(/(?<!\S)[\p{L}']+[,.?!:]?(?!\S)/gu)?.length ?? 0;
  const all = text.match(/\S+/g)?.length ?? 0;
  const symbols = text.match(/[{}();=<>$|&]/g)?.length ?? 0;
  return words >= 4 && words / all > 0.8 && symbols / all < 0.1;
}
