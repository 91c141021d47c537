import { describe, expect, test } from 'vitest';
import { commandFirst } from '../../src/cli/leading-options.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { families } from '../../src/schema/command-line.ts';
import { fermata, freshFolder } from '../support/fermata.ts';

const program = await buildProgram('fermata', () => true);
const given = ['--format', 'json', '--debug', '--store=x.db', '--project', 'shop'];

describe('common options before the command', () => {
  const paths = program.commands
    .filter((command) => command.name() !== 'complete')
    .flatMap((command) =>
      command.commands.length === 0
        ? [[command.name()]]
        : command.commands.map((each) => [command.name(), each.name()]),
    );

  test.each(paths.map((path) => [path.join(' '), path]))('are those of %s', (_, path) => {
    const wanted = [...path, ...given, 'word', '--', '--json'];
    expect(commandFirst([...given, ...path, 'word', '--', '--json'])).toEqual(wanted);
    const [name = '', ...rest] = path;
    if (rest.length > 0)
      expect(commandFirst([name, ...given, ...rest, 'word', '--', '--json'])).toEqual(wanted);
  });

  test('every command with subcommands is known as such', () => {
    const followed = program.commands.filter(({ commands }) => commands.length > 0);
    expect([...families].sort()).toEqual(followed.map((command) => command.name()).sort());
  });

  test.each([
    [
      ['--json', 'tasks'],
      ['tasks', '--json'],
    ],
    [
      ['--json', 'config', 'store'],
      ['config', 'store', '--json'],
    ],
    [
      ['--json', 'tasks', '--limit', '3'],
      ['tasks', '--json', '--limit', '3'],
    ],
    [
      ['--debug', 'help', 'plan', 'show'],
      ['plan', 'show', '--help'],
    ],
    [
      ['ask', 'Why', '--json'],
      ['ask', 'Why', '--json'],
    ],
    [['--help'], ['--help']],
    [['--json'], []],
  ])('%j is %j', (argv, words) => {
    expect(commandFirst(argv)).toEqual(words);
  });

  test('CLI-inbox the real program accepts each as a person writes it', async () => {
    const at = { cwd: freshFolder() };
    const { code, stdout } = await fermata(['--format', 'json', 'inbox'], at);
    expect([code, JSON.parse(stdout)]).toEqual([0, { notifications: [] }]);
    const named = await fermata(['--project', 'nowhere', '--json', 'tasks', 'list'], at);
    expect([named.code, JSON.parse(named.stdout).error.code]).toEqual([1, 'not_found']);
    const none = await fermata(['--json'], at);
    expect([none.code, JSON.parse(none.stdout).error.code]).toEqual([2, 'invalid']);
  });
});
