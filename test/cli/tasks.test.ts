import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import type { Task } from '../../src/schema/task.ts';
import { fermata, freshFolder, type Options, startFermata } from '../support/fermata.ts';
import { freshDatabase, postgresMissing } from '../support/fresh-database.ts';
import { longTest } from '../support/long-test.ts';

const place = (): Options => ({ cwd: freshFolder() });

/** Runs `fermata tasks … --json`, which has to succeed. */
async function tasks(at: Options, ...args: string[]) {
  const { code, stdout, stderr } = await fermata(['tasks', ...args, '--json'], at);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) });
  return JSON.parse(stdout) as { task: Task & { block_reason: string | null }; tasks: Task[] };
}

const ids = (found: { tasks: Task[] }) => found.tasks.map((task) => task.id);

describe('CLI-tasks', () => {
  test('CLI-EXIT-0 add prints the id alone, and the rest for people on stderr', async () => {
    const at = place();
    expect(await fermata(['tasks', 'add', 'Design', 'the', 'schema', '--id', 'schema'], at)).toEqual({
      code: 0,
      stdout: 'schema\n',
      stderr: 'Added; it can be started.\n',
    });
    expect(await fermata(['tasks', 'add', 'Import', '--depends-on', 'schema'], at)).toEqual({
      code: 0,
      stdout: 't2\n',
      stderr: 'Added; it waits for schema.\n',
    });
  });

  test('a task in JSON is camelCase, with block_reason in addition to blockReason', async () => {
    const at = place();
    await tasks(at, 'add', 'One', '--id', 'one', '--body', 'the text', '--priority', '4');
    const { task } = await tasks(at, 'block', 'one', '--reason', 'no sample file');
    expect(task).toMatchObject({
      id: 'one',
      title: 'One',
      body: 'the text',
      status: 'blocked',
      assignee: null,
      blockReason: 'no sample file',
      block_reason: 'no sample file',
      dependsOn: [],
      priority: 4,
    });
    expect((await tasks(at, 'unblock', 'one')).task).toMatchObject({ status: 'open', block_reason: null });
  });

  test('OPS-7 unblock --all unblocks only tasks that the environment stopped, or those with a given reason', async () => {
    const at = place();
    const reasons = {
      locked: 'Environment: .git/index.lock exists.',
      missing: 'Environment: Cannot start git.',
      failed: 'Failed: the tests fail',
      asked: 'the customer has to send a sample',
    };
    for (const [id, reason] of Object.entries(reasons)) {
      await tasks(at, 'add', id, '--id', id);
      await tasks(at, 'block', id, '--reason', reason);
    }
    expect(await fermata(['tasks', 'unblock', '--all'], at)).toMatchObject({
      code: 0,
      stdout: 'Unblocked locked.\nUnblocked missing.\n',
    });
    expect(ids(await tasks(at, 'unblock', '--all'))).toEqual([]);
    expect(ids(await tasks(at, 'unblock', '--all', '--reason', 'SAMPLE'))).toEqual(['asked']);
    expect(ids(await tasks(at, 'list', '--status', 'blocked'))).toEqual(['failed']);
    for (const wrong of [[], ['failed', '--all'], ['--reason', 'x'], ['failed', '--reason', 'x']])
      expect((await fermata(['tasks', 'unblock', ...wrong], at)).code).toBe(2);
  });

  test('LED-8 ready lists what can start, the most urgent first, and changes as tasks are closed and reopened', async () => {
    const at = place();
    await tasks(at, 'add', 'First', '--id', 'first');
    await tasks(at, 'add', 'Urgent', '--id', 'urgent', '--priority', '0');
    await tasks(at, 'add', 'Last', '--id', 'last', '--depends-on', 'first', '--depends-on', 'urgent');
    await tasks(at, 'add', 'Stopped', '--id', 'stopped');
    await tasks(at, 'block', 'stopped', '--reason', 'later');
    expect(ids(await tasks(at, 'ready'))).toEqual(['urgent', 'first']);
    expect(ids(await tasks(at, 'ready', '--limit', '1'))).toEqual(['urgent']);
    await tasks(at, 'close', 'first');
    await tasks(at, 'close', 'urgent');
    expect(ids(await tasks(at, 'ready'))).toEqual(['last']);
    await tasks(at, 'reopen', 'first');
    expect(ids(await tasks(at, 'ready'))).toEqual(['first']);
  });

  test('the list says what each task waits for, aligned, and draws control characters (BIND-11)', async () => {
    const at = place();
    await tasks(at, 'add', 'Design', '--id', 'schema', '--priority', '0');
    await tasks(at, 'add', '\u001b[31mred\u001b[0m\u202e\nsecond line', '--depends-on', 'schema');
    await tasks(at, 'add', 'Stopped', '--id', 'stopped');
    await tasks(at, 'block', 'stopped', '--reason', 'no \u001b]0;title\u0007sample');
    const { stdout } = await fermata(['tasks'], at);
    expect(stdout).toBe(
      [
        'ID       KIND  STATUS   PRIO  TITLE                             WAITS FOR            ASSIGNEE',
        'schema   task  open        0  Design',
        't2       task  open        2  ␛[31mred␛[0m⟨U+202E⟩ second line  schema',
        'stopped  task  blocked     2  Stopped                           no ␛]0;title␇sample',
        '',
      ].join('\n'),
    );
    expect(ids(await tasks(at, 'list', '--status', 'blocked'))).toEqual(['stopped']);
  });

  longTest('a list is complete however long it is', async () => {
    const cwd = freshFolder();
    const at = { cwd, env: { FERMATA_HOME: join(cwd, '..', 'home') } };
    const { task } = await tasks(at, 'add', 'The first');
    const ledger = await openLedger(join(at.env.FERMATA_HOME, 'ledger.db'), {});
    const by = { actor: { kind: 'person' as const, name: 'tester' }, channel: 'command' as const };
    const { projectId } = task;
    await Promise.all(
      Array.from({ length: 2099 }, (_, i) => ledger.tasks.add({ projectId, title: `Task ${i}` }, by)),
    );
    await ledger.close();
    expect((await tasks(at, 'list')).tasks).toHaveLength(2100);
    const text = await fermata(['tasks', 'list'], at);
    expect(text.stdout.trimEnd().split('\n')).toHaveLength(2101);
    const ready = await fermata(['tasks', 'ready'], at);
    expect(ready.stdout.trimEnd().split('\n')).toHaveLength(101);
    expect(ready.stderr).toBe('There are more than 100; --limit shows more of them.\n');
  });

  test('show has the text, the open questions and the chat of a task', async () => {
    const at = place();
    await tasks(at, 'add', 'Import', '--id', 'import', '--body', 'Read orders.csv\nSkip bad lines');
    await fermata(['ask', 'Which separator?', '--task', 'import', '--timeout', '0.1'], at);
    const asked = JSON.parse((await fermata(['tasks', 'show', 'import', '--json'], at)).stdout);
    expect(asked.task).toMatchObject({ status: 'blocked', block_reason: 'Open Question' });
    expect(asked.questions).toHaveLength(1);
    const [{ id }] = asked.questions;
    const text = (await fermata(['tasks', 'show', 'import'], at)).stdout;
    expect(text).toContain('blocked (waits for: Open Question)');
    expect(text).toContain('  Skip bad lines');
    expect(text).toContain(`${id}  Which separator?`);
    await fermata(['answer', id, 'semicolon'], at);
    const after = await fermata(['tasks', 'show', 'import'], at);
    expect(after.stdout).toContain('    Which separator?\n    semicolon');
    expect(after.stdout).not.toContain('Open questions');
  });

  test('depend refuses cycles, itself and unknown tasks, and then changes nothing', async () => {
    const at = place();
    for (const id of ['a', 'b', 'c']) await tasks(at, 'add', id, '--id', id);
    expect((await tasks(at, 'depend', 'c', 'a', 'b')).task.dependsOn).toEqual(['a', 'b']);
    const refused = async (...args: string[]) => {
      const { code, stdout, stderr } = await fermata(['tasks', 'depend', ...args], at);
      return { code, stdout, stderr };
    };
    expect(await refused('a', 'c')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('c already depends on a'),
    });
    expect(await refused('a', 'a')).toMatchObject({ code: 2, stderr: expect.stringContaining('itself') });
    expect(await refused('a', 'b', 'nope')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no task nope'),
    });
    expect((await tasks(at, 'show', 'a')).task.dependsOn).toEqual([]);
  });

  test.each([
    ['an unknown task', ['show', 'nope'], 'There is no task nope'],
    ['a repeated id', ['add', 'Again', '--id', 'one'], 'Task one already exists'],
    ['an unknown task before it', ['add', 'More', '--depends-on', 'nope'], 'There is no task nope'],
  ])('CLI-EXIT-1 %s is refused', async (_, args, sentence) => {
    const at = place();
    await tasks(at, 'add', 'One', '--id', 'one');
    const { code, stdout, stderr } = await fermata(['tasks', ...args], at);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(ids(await tasks(at, 'list'))).toEqual(['one']);
  });

  test.each([
    [
      'a wrong priority',
      ['add', 'x', '--priority', '5'],
      '--priority: "5" is too large. It must be from 0 to 4.',
    ],
    ['a priority in words', ['add', 'x', '--priority', 'high'], '"high" is not a whole number'],
    ['a limit of none', ['ready', '--limit', '0'], '--limit: "0" is too small. It must be from 1 to 10000.'],
    ['an id with a space', ['add', 'x', '--id', 'a b'], 'an id starts with a letter or digit'],
    ['a missing reason', ['block', 't1'], "required option '--reason <text>'"],
    ['a mistyped command', ['lits'], 'Did you mean "list"?'],
    [
      'a wrong status',
      ['list', '--status', 'done'],
      'Allowed choices are open, in_progress, blocked, closed.',
    ],
  ])('CLI-EXIT-2 %s is wrong use', async (_, args, sentence) => {
    const { code, stdout, stderr } = await fermata(['tasks', ...args], place());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
  });

  test('--project reaches a project of another folder by its name, and refuses an unknown one', async () => {
    await tasks({ cwd: freshFolder('shop') }, 'add', 'Here', '--id', 'here');
    const elsewhere = place();
    expect(ids(await tasks(elsewhere, 'list'))).toEqual([]);
    expect(ids(await tasks(elsewhere, 'list', '--project', 'shop'))).toEqual(['here']);
    const { code, stderr } = await fermata(['tasks', 'list', '--project', 'shops'], elsewhere);
    expect(code).toBe(1);
    expect(stderr).toContain('There is no project "shops" in this ledger. Did you mean "shop"?');
  });

  test.skipIf(postgresMissing)('tasks on PostgreSQL are visible to other clones of the project', async () => {
    const store = await freshDatabase();
    const env = { FERMATA_STORE: store, FERMATA_PROJECT: 'acme/shop' };
    const [here, there] = [
      { cwd: freshFolder('here'), env },
      { cwd: freshFolder('there'), env },
    ];
    await tasks(here, 'add', 'First', '--id', 'first');
    await tasks(here, 'add', 'Second', '--id', 'second', '--depends-on', 'first');
    expect(ids(await tasks(there, 'ready'))).toEqual(['first']);
    const follower = startFermata(['events', '--follow', '--json', '--limit', '3'], there);
    await follower.shows(/"number":2/);
    await tasks(there, 'close', 'first');
    expect(await follower.ended).toMatchObject({ code: 0, stderr: '' });
    expect(ids(await tasks(here, 'ready'))).toEqual(['second']);
    const { stdout } = await fermata(['doctor', '--json'], here);
    const check = JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'ledger');
    expect(check).toMatchObject({ status: 'ok' });
    expect(stdout).not.toContain(new URL(store).password);
  });
});
