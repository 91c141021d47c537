import { asDiskFull } from '../schema/disk-full.ts';
import { FermataError } from '../schema/error.ts';
import { Refusal } from '../schema/refusal.ts';
import { visible, visibleJson } from '../schema/visible.ts';
import { isInterruption } from './exit.ts';

let results: NodeJS.WriteStream = process.stdout;

/** In pipe mode stdout belongs to the parent process: it has only questions, and results go where messages go. */
export function keepStdoutForQuestions(): void {
  results = process.stderr;
}

export const isStdoutForQuestions = () => results === process.stderr;

type Format = 'text' | 'json';
let wanted: Format | undefined;

/** Remembers the format that the call asks for. */
export function keepFormat(format: Format | undefined): void {
  wanted = format;
}

/** Whether a person reads the output: if text was requested, or at a terminal unless JSON was. */
export const isForPeople = () =>
  wanted === 'text' || (results.isTTY && wanted !== 'json' && !process.env.FERMATA_AGENT);

/** Writes to stdout; resolves when the text was handed over, so that later steps can rely on it. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const shown = results.isTTY ? forTerminal(text) : text;
    results.write(shown.endsWith('\n') ? shown : `${shown}\n`, (error) =>
      error ? reject(error) : resolve(),
    );
  });
}

export function printJson(value: unknown): Promise<void> {
  return print(toJson(value, results.isTTY ? 2 : 0));
}

/** One line, for a list without an end. */
export function printJsonLine(value: unknown): Promise<void> {
  return print(toJson(value));
}

/** Also for a pipe, because it may end at a terminal. */
const toJson = (value: unknown, indent = 0) => visibleJson(JSON.stringify(value, null, indent));

/**
 * Prints `{"name":[…]}` page by page, one entry per line, so that a long list does not fill the memory. Reads the first
 * page before it prints anything, so that an error until then leaves stdout clean.
 */
export async function printJsonList(name: string, pages: AsyncIterable<unknown[]>): Promise<void> {
  let before = `{${JSON.stringify(name)}:[`;
  for await (const page of pages) {
    if (page.length === 0) continue;
    await print(`${before}${page.map((entry) => toJson(entry)).join(',\n')}`);
    before = ',';
  }
  await print(before === ',' ? ']}' : `${before}]}`);
}

/**
 * For the person at the terminal: what happened and what to do next. Never mixed into the data on stdout, and never able
 * to control the terminal.
 */
export function tell(text: string): void {
  process.stderr.write(`${process.env.FERMATA_LOG === 'json' ? logLine(text) : visible(text)}\n`);
}

/** One JSON object per line, for log collectors. A text that begins with the program's name is an error. */
function logLine(text: string): string {
  const message = text.replace(/^fermata: /, '');
  return toJson({ time: new Date(), level: message === text ? 'info' : 'error', message });
}

export function describeError(error: unknown, debug: boolean): string {
  if (debug && error instanceof Error) return error.stack ?? error.message;
  if (error instanceof Refusal && error.suggestion) return `${error.message} ${error.suggestion}`;
  if (error instanceof FermataError) return error.message;
  if (isInterruption(error)) return 'Interrupted.';
  if ((error as NodeJS.ErrnoException).syscall === 'uv_cwd') {
    return 'The current folder no longer exists. Change to another one and try again.';
  }
  const full = asDiskFull(error);
  if (full) return full.message;
  const message = error instanceof Error ? error.message : String(error);
  return `Something went wrong inside Fermata: ${message}. Run it again with --debug for details.`;
}

/** The colours that we use. No other escape sequence reaches a terminal, wherever it comes from. */
const ours = new RegExp(`(${String.fromCharCode(27)}\\[(?:[12]|22|3[1239])m)`);

/** The last check before printing, so that an unescaped field cannot control the terminal or hide anything. */
function forTerminal(text: string): string {
  return text
    .split(ours)
    .map((part, index) => (index % 2 === 1 ? part : visible(part)))
    .join('');
}
