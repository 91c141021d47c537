import { quoted } from '../agents/shell-words.ts';
import { withoutPassword } from '../config/store-url.ts';
import type { CommonOptions } from './command.ts';

let given = '';

/** Keeps where this command was told to work, for those that it names to a person. */
export function keepGiven({ store, project }: Pick<CommonOptions, 'store' | 'project'>): void {
  // A password is not shown: who gave it knows that it belongs there.
  const shown = { '--store': store && withoutPassword(store), '--project': project };
  given = Object.entries(shown)
    .flatMap(([option, value]) => (value === undefined ? [] : ` ${option} ${quoted(value)}`))
    .join('');
}

const groups = 'config|decisions|feedback|gemini|git|issues|knowledge|plan|prd|questions|stream|tasks';
const named = new RegExp(`\\bfermata (?:(?:${groups}) [a-z-]+|[a-z-]+)`, 'g');

/**
 * The commands in a sentence of ours, so that they work where this one does. Sentences come from the ledger and the work
 * as well, which do not know how they were called: so it is done here, where they are printed.
 */
export function withGiven(text: string): string {
  return given === '' ? text : text.replace(named, (command) => `${command}${given}`);
}
