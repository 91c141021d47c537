import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';

const SRC = join(import.meta.dirname, '../../src');

/** Calls whose texts are help, or describe an API. */
const HELP = new Set(['addHelpText', 'describe', 'description', 'option', 'summary', 'usage']);

/** Paths whose texts are not shown to a person who could paste them here. */
const others: Record<string, string> = {
  'hub/': 'read on another machine',
  'cli/commands/demo.ts': 'what the person typed',
  'cli/demo/words.ts': 'for another folder, with its own home',
  'cli/hooks/install.ts': 'the mark of a file',
  'cli/dialects/debussy.ts': 'help',
  'ledger/engine/store-error.ts': 'for the owner of the tables, whose store has another address',
  'work/decided/read-decided.ts': 'for agents, who reach the ledger through their run',
  'work/run/feature-branch.ts': "git's reflog",
};

const isOther = (path: string) => Object.keys(others).some((begin) => path.startsWith(begin));

it('a command in a message comes from cmd`…`, which adds where this process works (CLI-ask)', () => {
  const found = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith('.ts') && path !== 'cli/commands.ts' && !isOther(path))
    .flatMap((path) =>
      plainCommands(readFileSync(join(SRC, path), 'utf8')).map((text) => `${path}: ${text}`),
    );
  expect(found).toEqual([]);
});

it('finds a command in a plain text, but not in help, and not from cmd', () => {
  const help = "command.addHelpText('after', 'fermata run');";
  expect(plainCommands(`tell('Try fermata answer');\n${help}`)).toEqual(['Try fermata answer']);
  expect(plainCommands('tell(`fermata ask $' + '{id}`)')).toEqual(['fermata ask ']);
  expect(plainCommands(`tell(cmd\`answer\`, 'fermata waits');`)).toEqual([]);
});

const named = new RegExp(`\\bfermata (?:${commands.map(({ name }) => name).join('|')})(?![\\w-])`);

function plainCommands(text: string): string[] {
  const found: string[] = [];
  if (!named.test(text)) return found;
  visit(parseSync('a.ts', text, { lang: 'ts' }).program, (said) => named.test(said) && found.push(said));
  return found;
}

/** Visits all texts of a program except help texts. */
function visit(node: unknown, onText: (text: string) => void): void {
  if (typeof node !== 'object' || node === null) return;
  const { type, value, callee } = node as Record<string, unknown>;
  if (type === 'Literal' && typeof value === 'string') onText(value);
  if (type === 'TemplateElement') onText(String((value as { cooked?: string }).cooked));
  const isHelp = type === 'CallExpression' && HELP.has(propertyOf(callee));
  for (const each of isHelp ? [callee] : Object.values(node)) visit(each, onText);
}

function propertyOf(callee: unknown): string {
  const { property } = callee as { property?: { name?: string } };
  return property?.name ?? '';
}
