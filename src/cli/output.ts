import { printable } from '../channels/printable.ts';
import { asDiskFull } from '../schema/disk-full.ts';
import { FermataError } from '../schema/error.ts';
import { Refusal } from '../work/refusal.ts';
import { isInterruption } from './exit.ts';
import { withGiven } from './given-options.ts';

let results: NodeJS.WriteStream = process.stdout;

/** In pipe mode stdout is the parent's: questions are on it, and results go where messages go. */
export function keepStdoutForQuestions(): void {
  results = process.stderr;
}

export const isStdoutForQuestions = () => results === process.stderr;

/** Writes to stdout; the promise resolves when the text was handed over, so that what follows may count on it. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    results.write(text.endsWith('\n') ? text : `${text}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

export function printJson(value: unknown): Promise<void> {
  return print(JSON.stringify(value, null, results.isTTY ? 2 : 0));
}

/**
 * Prints `{"name":[…]}` page by page, one entry per line, so that a long list needs no memory. The first page is read
 * before anything is printed: an error until then leaves stdout clean.
 */
export async function printJsonList(name: string, pages: AsyncIterable<unknown[]>): Promise<void> {
  let before = `{${JSON.stringify(name)}:[`;
  for await (const page of pages) {
    if (page.length === 0) continue;
    await print(`${before}${page.map((entry) => JSON.stringify(entry)).join(',\n')}`);
    before = ',';
  }
  await print(before === ',' ? ']}' : `${before}]}`);
}

/** For the person at the terminal: what happened and what to do next. Never mixed into the data on stdout, and never able to steer the terminal. */
export function tell(text: string): void {
  process.stderr.write(`${printable(withGiven(text))}\n`);
}

export function describeError(error: unknown, debug: boolean): string {
  if (debug && error instanceof Error) return error.stack ?? error.message;
  if (error instanceof Refusal && error.suggestion) return `${error.message} ${error.suggestion}`;
  if (error instanceof FermataError) return error.message;
  if (isInterruption(error)) return 'Interrupted.';
  if ((error as NodeJS.ErrnoException).syscall === 'uv_cwd') {
    return 'The folder that you are in no longer exists. Go to another one and try again.';
  }
  const full = asDiskFull(error);
  if (full) return full.message;
  const message = error instanceof Error ? error.message : String(error);
  return `Something went wrong inside Fermata: ${message}. Run it again with --debug for details.`;
}
