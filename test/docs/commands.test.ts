import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/commands.md'), 'utf8');
const program = await buildProgram('fermata', () => true);
const commands = program.commands.filter((command) => !['complete', 'hook'].includes(command.name()));

describe('docs/commands.md', () => {
  it('has a section for each command, and no other', () => {
    const sections = [...page.matchAll(/^### `fermata ([\w-]+)/gm)].map((match) => match[1]);
    expect(sections.sort()).toEqual(commands.map((command) => command.name()).sort());
  });

  it('lists each command at the top, and no other', () => {
    const listed = [...page.matchAll(/^\| \[`fermata ([\w-]+)`/gm)].map((match) => match[1]);
    expect(listed.sort()).toEqual(commands.map((command) => command.name()).sort());
  });

  it.each(commands.map((command) => [command.name(), command] as const))(
    'names the options and subcommands of %s, and none that it has not',
    (name, command) => {
      const flags = [command, ...command.commands].flatMap(ownFlags);
      const section = sectionOf(name);
      expect([...new Set(section.match(/--[a-z][\w-]*/g))].sort()).toEqual([...new Set(flags)].sort());
      for (const sub of command.commands) expect(section).toContain(`\`${name} ${sub.name()}`);
    },
  );

  it('names the options that all commands share', () => {
    for (const flag of common) expect(sectionOf('What all commands share')).toContain(flag);
  });
});

const common = ['--format', '--json', '--store', '--project', '--debug', '--help'];

function ownFlags(command: Command): string[] {
  return command.options.map((option) => option.long ?? '').filter((flag) => !common.includes(flag));
}

/** Without the mentions of shared options, which are explained once. */
function sectionOf(name: string): string {
  const start = page.search(new RegExp(`^##+ (\`fermata )?${name}\\b`, 'm'));
  const rest = page.slice(start + 3);
  const text = rest.slice(0, rest.search(/^##+ |(?![\s\S])/m));
  return name.includes(' ') ? text : text.replace(/--(format|json|store|project|debug|help)\b/g, '');
}
