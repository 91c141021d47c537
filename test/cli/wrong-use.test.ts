import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { fermata, freshFolder } from '../support/fermata.ts';

const BIN = join(import.meta.dirname, '../../bin/fermata.cjs');

test('CLI-plan --format text is text, also where no person seems to read it', async () => {
  const { stdout } = await fermata(['plan', 'next', '--format', 'text'], { cwd: freshFolder() });
  expect(stdout).not.toContain('{');
  expect((await fermata(['plan', 'next'], { cwd: freshFolder() })).stdout).toContain('{');
});

describe('CLI-EXIT-2 wrong use', () => {
  test.each([
    [
      'an unknown command, with what was meant',
      ['taks'],
      'unknown command \'taks\'\n(Did you mean tasks?)\nSee "fermata --help".',
    ],
    [
      'an unknown option, with what was meant',
      ['events', '--folow'],
      'unknown option \'--folow\'\n(Did you mean --follow?)\nSee "fermata events --help".',
    ],
    [
      'an unknown command of a group, with those that there are',
      ['git', 'bogus'],
      "unknown command 'bogus'\nIt has diff-base, ",
    ],
    ['one that is like another', ['plan', 'shwo'], '(Did you mean show?)\nIt has init, show, '],
    [
      'a missing argument',
      ['tasks', 'show'],
      'missing required argument \'id\': the task\nSee "fermata tasks show --help".',
    ],
    ['a missing shell', ['completion'], "'shell': your shell (bash, zsh, fish, powershell)\n"],
    [
      'an option before the command that has it',
      ['issues', '--from-dir', 'x'],
      "unknown option '--from-dir'\nWrite it after analyze.\n",
    ],
    [
      'one that all commands of a group have',
      ['plan', '--store', 'x.db'],
      "unknown option '--store'\nWrite it after the command.\nIt has init, ",
    ],
    ['a folder for a store', ['inbox', '--store', '.'], 'is a folder. Pass the ledger file in it.'],
    ['too much', ['events', 'all'], 'too many arguments'],
    [
      'an argument that is none of its values',
      ['completion', 'bsh'],
      "'bsh' is not a valid shell. Allowed choices are bash,",
    ],
    [
      'answers that are not there',
      ['demo', '--headless', '--answers', 'none.json'],
      'none.json cannot be read: there',
    ],
    [
      'a folder that cannot be',
      ['demo', '--headless', '--folder', '/dev/null/x'],
      'Cannot create /dev/null/x',
    ],
    ['an unknown format', ['events', '--format', 'xml'], 'Allowed choices are text, json.'],
    [
      'a store of another kind',
      ['events', '--store', 'mysql://me:hunter2@db'],
      '--store: the store must be a file or postgres://…, not mysql://…',
    ],
    [
      'a misspelt PostgreSQL',
      ['ask', 'Which?', '--store', 'postgre://me:hunter2@db'],
      '--store: the store must be a file or postgres://…, not postgre://…. Did you mean postgres://…?',
    ],
    [
      'a PostgreSQL that lacks a slash',
      ['ask', 'Which?', '--store', 'postgresql:/me:hunter2@db'],
      '--store: the store must be a file or postgres://…, not postgresql:/…. Did you mean postgres://…?',
    ],
  ])('%s', async (_, args, sentence) => {
    const { code, stdout, stderr } = await fermata(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^fermata: /);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('hunter2');
  });

  test('a program that asked for JSON gets one document in any case', async () => {
    for (const args of [
      ['events', '--folow', '--json'],
      ['tasks', 'show', '--format', 'json'],
      ['events', '--after', 'x', '--format=json'],
    ]) {
      const { code, stdout } = await fermata(args);
      expect(code).toBe(2);
      expect(JSON.parse(stdout)).toEqual({ error: { code: 'invalid', message: expect.any(String) } });
    }
  });

  test('without a command it lists the commands', async () => {
    const { code, stdout, stderr } = await fermata([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: fermata COMMAND [options]');
  });
});

test('CLI-EXIT-1 in a folder that was removed it says so', () => {
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" tasks';
  const { status, stderr } = spawnSync('/bin/sh', ['-c', script, process.execPath, BIN], {
    cwd: freshFolder(),
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'fermata: The current folder no longer exists. Change to another one and try again.\n',
  });
});

describe('CLI-EXIT-0 help', () => {
  test('the overview has one line for each command, in groups, and ends with an example', async () => {
    const { code, stdout } = await fermata(['--help']);
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines.length).toBeLessThan(commands.length + 25);
    for (const { name, summary, group } of commands) {
      expect(
        lines.filter((line) => line.startsWith(`  ${name} `) && line.endsWith(`  ${summary}`)),
      ).toHaveLength(1);
      expect(stdout).toContain(`\n${group}\n`);
    }
    expect(stdout).toMatch(/Example:\n {2}fermata ask /);
  });

  test.each(commands.map(({ name }) => name))('%s --help has examples', async (name) => {
    const { code, stdout } = await fermata([name, '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Usage: fermata ${name}`));
    expect(stdout).toMatch(new RegExp(`\\n +.*fermata ${name}`));
    expect(await fermata(['help', name])).toEqual({ code: 0, stdout, stderr: '' });
  });

  test('a group of commands says where the options of its commands are', async () => {
    const { stdout } = await fermata(['decisions', '--help']);
    expect(stdout).toContain('\n"fermata decisions COMMAND --help" prints the options of each command.\n');
  });
});
