import { quoted } from '../agents/shell-words.ts';
import { withoutPassword } from '../config/store-url.ts';
import type { CommonOptions } from './command.ts';
import { commands } from './commands.ts';

let given = '';

/** Keeps where this command was told to work, for those that it names to a person. */
export function keepGiven({ store, project }: Pick<CommonOptions, 'store' | 'project'>): void {
  // A password is not shown: who gave it knows that it belongs there.
  const shown = { '--store': store && withoutPassword(store), '--project': project };
  given = Object.entries(shown)
    .flatMap(([option, value]) => (value === undefined ? [] : ` ${option} ${quoted(value)}`))
    .join('');
}

/** Those that are followed by a command of their own. */
export const families = [
  ...['config', 'decisions', 'feedback', 'gemini', 'git', 'issues', 'knowledge', 'plan', 'prd', 'questions'],
  ...['stream', 'tasks'],
];
const single = commands.map(({ name }) => name).filter((name) => !families.includes(name));
const named = new RegExp(
  `\\bfermata (?:(?:${families.join('|')}) [a-z-]+|(?:${single.join('|')})(?![\\w-]))`,
  'g',
);

/**
 * The commands in a sentence of ours, so that they work where this one does. Sentences come from the ledger and the work
 * as well, which do not know how they were called: so it is done here, where they are printed.
 */
export function withGiven(text: string): string {
  return given === '' ? text : text.replace(named, (command) => `${command}${given}`);
}
