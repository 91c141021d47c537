import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { spawnFermata as fermata, freshFolder } from '../support/fermata.ts';
import { freshDatabase, postgresMissing } from '../support/fresh-database.ts';
import { sh } from '../work/support/repository.ts';

/** Each command has a process of its own, because some need the file alone and a process frees it only when it ends. */
async function place() {
  const cwd = freshFolder();
  const home = join(cwd, '../home');
  const at = { cwd, env: { FERMATA_HOME: home } };
  const ledger = (...args: string[]) => fermata(['ledger', ...args], at);
  const tasks = async () => JSON.parse((await fermata(['tasks', 'list', '--json'], at)).stdout).tasks.length;
  await fermata(['tasks', 'add', 'One'], at);
  return { at, file: join(home, 'ledger.db'), ledger, tasks };
}

describe('fermata ledger', () => {
  it('CLI-ledger OPS-1 backs up, and restores over the ledger only after a yes', async () => {
    const { at, file, ledger, tasks } = await place();
    const made = await ledger('backup', 'backup.db', '--json');
    expect(made, made.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(made.stdout)).toMatchObject({ place: file, file: 'backup.db', kind: 'file' });
    await fermata(['tasks', 'add', 'Two'], at);
    const asked = await ledger('restore', 'backup.db');
    expect(asked).toMatchObject({ code: 1, stdout: '' });
    expect(asked.stderr).toContain('--yes');
    expect(await tasks()).toBe(2);
    const restored = await ledger('restore', 'backup.db', '--yes', '--json');
    expect(restored, restored.stderr).toMatchObject({ code: 0 });
    const { kept } = JSON.parse(restored.stdout);
    expect(await tasks()).toBe(1);
    const before = await fermata(['tasks', 'list', '--json', '--store', kept], at);
    expect(JSON.parse(before.stdout).tasks).toHaveLength(2);
  });

  it('CLI-ledger OPS-1 says what is wrong with a backup, an export and a date', async () => {
    const { at, ledger, tasks } = await place();
    await ledger('backup', 'backup.db');
    truncateSync(join(at.cwd, 'backup.db'), 9000);
    const cut = await ledger('restore', 'backup.db', '--yes');
    expect(cut).toMatchObject({ code: 2, stdout: '' });
    expect(cut.stderr).toContain('it has only 9000 of');
    await ledger('export', 'export.jsonl');
    const lines = readFileSync(join(at.cwd, 'export.jsonl'), 'utf8').split('\n');
    writeFileSync(join(at.cwd, 'export.jsonl'), [lines[0], '{"table":', ...lines.slice(2)].join('\n'));
    const broken = await ledger('import', 'export.jsonl', '--store', 'new.db');
    expect(broken).toMatchObject({ code: 2, stdout: '' });
    expect(broken.stderr).toContain('Line 2 of export.jsonl');
    const missing = await ledger('import', 'missing.jsonl', '--store', 'new.db');
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('missing.jsonl cannot be read'),
    });
    for (const date of ['yesterday', '2999-01-01'])
      expect(await ledger('prune', '--before', date)).toMatchObject({ code: 2 });
    expect(await ledger('backup', 'none/backup.db')).toMatchObject({ code: 1 });
    expect(await tasks()).toBe(1);
    const agent = { ...at, env: { ...at.env, FERMATA_AGENT: 'coder' } };
    for (const args of [
      ['backup', 'x'],
      ['restore', 'x'],
      ['check'],
      ['export', '-'],
      ['import', 'x'],
      ['compact'],
    ])
      expect(await fermata(['ledger', ...args], agent)).toMatchObject({ code: 1, stdout: '' });
  });

  it('OPS-1 40 overwritten pages are found by check and doctor, and end a hub and a worker that start', async () => {
    const { at, file, ledger } = await place();
    overwrite(file, 40);
    const found = await ledger('check');
    expect(found).toMatchObject({ code: 1, stdout: expect.stringContaining('The file is damaged: ') });
    const doctor = await fermata(['doctor', '--json'], at);
    const { checks }: { checks: { name: string; status: string; fix?: string }[] } = JSON.parse(
      doctor.stdout,
    );
    expect(checks.find(({ name }) => name === 'ledger')).toMatchObject({
      status: 'error',
      fix: expect.stringContaining('fermata ledger restore'),
    });
    for (const args of [
      ['serve', '--port', '0'],
      ['worker', '--can', 'x'],
    ]) {
      const { code, stderr } = await fermata(args, at);
      expect(code, stderr).toBe(2);
      expect(stderr).toContain(`fermata: The ledger at ${file} is damaged (`);
    }
  });

  it('CLI-ledger OPS-1 exports to a pipe, imports from one, checks, prunes and compacts', async () => {
    const { at, file, ledger } = await place();
    await fermata(['tasks', 'add', 'Two'], at);
    const { stdout: input } = await ledger('export', '-');
    const other = { ...at, input };
    expect(await fermata(['ledger', 'import', '-', '--store', 'new.db'], other)).toMatchObject({ code: 0 });
    expect((await ledger('export', '-', '--store', 'new.db')).stdout).toBe(input);
    expect(JSON.parse((await ledger('check', '--json')).stdout)).toEqual({
      place: file,
      ok: true,
      problems: [],
    });
    const connection = new DatabaseSync(file);
    connection.exec('update events set at = 0; update tasks set unfinished = 5');
    connection.close();
    const found = await ledger('check');
    expect(found).toMatchObject({ code: 1, stdout: expect.stringContaining('waits for 5') });
    expect(found.stderr).toContain('fermata ledger restore');
    const planned = await ledger('prune', '--before', '2001-01-01', '--dry-run');
    expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining('Would remove 1 event,') });
    const pruned = JSON.parse((await ledger('prune', '--before', '2001-01-01', '--json')).stdout);
    expect(pruned).toMatchObject({ dryRun: false, removed: { events: 1 }, stay: { tasks: 0 } });
    const compacted = await ledger('compact', '--json');
    expect(compacted, compacted.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(compacted.stdout)).toMatchObject({ place: file });
    expect(await ledger('compact', '--store', 'postgres://nobody@localhost/none')).toMatchObject({ code: 2 });
  });
});

/** Writes garbage over the first of the pages that have events. */
function overwrite(file: string, count: number): void {
  const connection = new DatabaseSync(file);
  connection.exec(
    `with recursive n(i) as (select 2 union all select i + 1 from n where i < 2000)
     insert into events select e.project_id, n.i, e.at, e.type, e."by", e.data, null from n, events e where e.number = 1;
     update projects set last_event = 2000; pragma journal_mode = delete`,
  );
  const pages = connection
    .prepare("select pageno from dbstat where name = 'events' and pagetype = 'leaf' order by pageno limit ?")
    .all(count) as { pageno: number }[];
  connection.close();
  const bytes = readFileSync(file);
  for (const { pageno } of pages) bytes.fill(0x5a, (pageno - 1) * 4096, pageno * 4096);
  writeFileSync(file, bytes);
}

describe.skipIf(postgresMissing !== undefined)('moving to PostgreSQL', () => {
  it('OPS-1 keeps the tasks of a repository that joins its imported project', async () => {
    const cwd = freshFolder('shop');
    sh(cwd, 'init', '--quiet');
    sh(cwd, 'commit', '--quiet', '--allow-empty', '-m', 'First');
    const at = { cwd, env: { FERMATA_HOME: join(cwd, '../home') } };
    await fermata(['tasks', 'add', 'One'], at);
    await fermata(['ledger', 'export', '../ledger.jsonl'], at);
    const team = { cwd, env: { ...at.env, FERMATA_STORE: await freshDatabase() } };
    const imported = await fermata(['ledger', 'restore', '../ledger.jsonl'], team);
    expect(imported, imported.stderr).toMatchObject({ code: 0 });
    const joined = await fermata(['project', 'join', '--project', 'shop', '--trust'], team);
    expect(joined, joined.stderr).toMatchObject({ code: 0 });
    const { stdout } = await fermata(['tasks', 'list', '--json'], team);
    expect(JSON.parse(stdout).tasks).toMatchObject([{ id: 't1', title: 'One' }]);
  });
});
