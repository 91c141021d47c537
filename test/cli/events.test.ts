import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, test } from 'vitest';
import { fermata, freshFolder, type Options, spawnFermata, startFermata } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';

const place = (): Options => ({ cwd: freshFolder() });

const add = async (at: Options, ...titles: string[]) => {
  for (const title of titles) expect((await fermata(['tasks', 'add', title], at)).code).toBe(0);
};

const numbers = (lines: string) =>
  lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).number as number);

describe('CLI-events', () => {
  test('JSON has no raw control or format character, and keeps the value (BIND-25)', async () => {
    const at = place();
    const title = 'a\u009bb\u007fc\u202ed\u200be';
    await add(at, title);
    const calls = [['events'], ['events', '--follow', '-n', '1'], ['tasks', 'list'], ['tasks', 'show', 't1']];
    for (const call of calls) {
      const { code, stdout } = await fermata([...call, '--json'], at);
      expect([call, code]).toEqual([call, 0]);
      expect(stdout).not.toMatch(/(?!\n)\p{C}/u);
      expect(stdout).toContain('\\u009b');
      expect(JSON.stringify(JSON.parse(stdout))).toContain(title);
    }
  });

  test('prints one line per event: number, time, type, actor, channel and details', async () => {
    const at = place();
    await add(at, 'Design', 'Import \u001b[2Jall\nof it');
    await fermata(['tasks', 'depend', 't2', 't1'], at);
    await fermata(['ask', 'Which\u0007 colour?', '-o', 'red', '--task', 't1', '--timeout', '0.1'], at);
    const { notifications } = JSON.parse((await fermata(['inbox', '--json'], at)).stdout);
    await fermata(['answer', notifications[0].id, 'red'], at);
    await fermata(['config', 'set', 'hilConfig', 'full'], at);
    const { code, stdout } = await fermata(['events'], at);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    const what = lines.map((line) => line.replace(/^ +\d+ {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}/, ''));
    expect(what).toEqual([
      'task.updated           tester (command): t1 "Design" was added',
      'task.updated           tester (command): t2 "Import ␛[2Jall of it" was added',
      'task.updated           tester (command): t2 "Import ␛[2Jall of it" waits for t1',
      expect.stringMatching(/^notification\.added +tester \(command\): n-\w+ asks: Which␇ colour\?$/),
      'task.updated           tester (command): t1 "Design" is blocked (Open Question)',
      expect.stringMatching(/^notification\.resolved +tester \(command\): n-\w+ answered: red$/),
      'task.updated           tester (command): t1 "Design" is open',
      'settings.updated       tester (command): hilConfig: scopeChanges automated, architectureDecisions automated, dependencyModifications automated',
    ]);
  });

  test('LED-11 --after and --limit select a part; the JSON is one document', async () => {
    const at = place();
    await add(at, 'a', 'b', 'c');
    const read = async (...args: string[]) =>
      JSON.parse((await fermata(['events', '--json', ...args], at)).stdout).events.map(
        (e: { number: number }) => e.number,
      );
    expect(await read()).toEqual([1, 2, 3]);
    expect(await read('--after', '1')).toEqual([2, 3]);
    expect(await read('--after', '1', '--limit', '1')).toEqual([2]);
    expect(await read('--after', '3')).toEqual([]);
    expect(await read('-n', '2')).toEqual([2, 3]);
    expect(await read('-n', '9')).toEqual([1, 2, 3]);
    expect(await read('--before', '3')).toEqual([1, 2]);
    expect(await read('-n', '1', '--before', '3')).toEqual([2]);
    expect(await read('--after', '1', '--before', '3')).toEqual([2]);
  });

  test('OPS-9 prints the newest 50 as text, and where the older ones are', async () => {
    const home = join(freshFolder(), 'home');
    const at = { ...place(), env: { FERMATA_HOME: home } };
    await add(at, 'a', 'b');
    fillEvents(join(home, 'ledger.db'), 200);
    const { stdout, stderr } = await fermata(['events'], at);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => Number.parseInt(line, 10)),
    ).toEqual(Array.from({ length: 50 }, (_, n) => 151 + n));
    expect(stderr).toContain('events --before 151');
    const follower = startFermata(['events', '--follow', '-n', '1'], at);
    expect((await follower.ended).stdout).toMatch(/^ +151 /);
  });

  test('OPS-1 LED-11 a reader whose events were removed, or whose ledger was replaced by an earlier one, is told', async () => {
    const home = join(freshFolder(), 'home');
    const at = { ...place(), env: { FERMATA_HOME: home } };
    await add(at, 'a', 'b', 'c', 'd');
    execute(join(home, 'ledger.db'), 'delete from events where number < 3');
    for (const args of [
      ['--after', '1'],
      ['--after', '5'],
      ['--follow', '--after', '5'],
    ]) {
      const { code, stdout, stderr } = await fermata(['events', ...args], at);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('Read the current state, then the events after 4.');
    }
    for (const args of [['--after', '2'], ['--after', '0'], []])
      expect(
        numbers((await fermata(['events', '--follow', '-n', '2', '--json', ...args], at)).stdout),
      ).toEqual([3, 4]);
    expect(await fermata(['events', '--after', '4'], at)).toMatchObject({ code: 0, stdout: '' });
  });

  longTest(
    'LED-11 CLI-EXIT-130 --follow prints past and new events; Ctrl-C closes the ledger; a returning reader misses nothing',
    async () => {
      const home = join(freshFolder(), 'home');
      const at = { ...place(), env: { FERMATA_HOME: home } };
      await spawnFermata(['tasks', 'add', 'a'], at);
      const first = startFermata(['events', '--follow', '--json'], at);
      await first.shows(/"number":1/);
      await spawnFermata(['tasks', 'add', 'b'], at);
      await first.shows(/"number":2/);
      first.child.kill('SIGINT');
      const { code, stdout, stderr } = await first.ended;
      expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
      expect(numbers(stdout)).toEqual([1, 2]);
      expect(readdirSync(home).sort()).toEqual(['cache', 'ledger.db']);

      await add(at, 'c', 'd');
      const again = startFermata(['events', '--follow', '--json', '--after', '2', '--limit', '3'], at);
      await again.shows(/"number":4/);
      await add(at, 'e');
      const rest = await again.ended;
      expect(rest.code).toBe(0);
      expect(numbers(rest.stdout)).toEqual([3, 4, 5]);
    },
  );

  test('a reader that goes away ends it quietly', async () => {
    const at = place();
    await add(at, 'a');
    const follower = startFermata(['events', '--follow'], at);
    await follower.shows(/was added/);
    follower.child.stdout?.destroy();
    await add(at, 'b');
    expect(await follower.ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('CLI-EXIT-2 a wrong number is wrong use', async () => {
    for (const [option, value, why] of [
      ['--after', '-1', 'is too small. It must be at least 0.'],
      ['--after', 'x', 'is not a whole number. It must be at least 0.'],
      ['--limit', '1.5', 'is not a whole number. It must be at least 1.'],
    ] as const) {
      const { code, stderr } = await fermata(['events', option, value], place());
      expect(code).toBe(2);
      expect(stderr).toContain(`${option}: "${value}" ${why}`);
    }
  });

  test('if nothing has happened it says so, and the JSON is empty', async () => {
    const at = place();
    expect(await fermata(['events'], at)).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Nothing has happened here yet.\n',
    });
    expect((await fermata(['events', '--json'], at)).stdout).toBe('{"events":[]}\n');
  });
});

function execute(file: string, sql: string): void {
  const connection = new DatabaseSync(file);
  connection.exec(sql);
  connection.close();
}

/** Repeats the first event until the project has so many. */
function fillEvents(file: string, count: number): void {
  execute(
    file,
    `with recursive n(i) as (select 3 union all select i + 1 from n where i < ${count})
     insert into events select e.project_id, n.i, e.at, e.type, e."by", e.data, null from n, events e where e.number = 1;
     update projects set last_event = ${count}`,
  );
}
