import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { request } from '../hub/support/hub.ts';
import {
  spawnFermata as fermata,
  freshFolder,
  fermata as inProcess,
  startFermata,
} from '../support/fermata.ts';
import { freshDatabase, postgresMissing } from '../support/fresh-database.ts';

interface Place {
  cwd: string;
  env: Record<string, string>;
  limitMs: number;
}

function place(env: Record<string, string> = {}): Place {
  const cwd = freshFolder();
  return { cwd, env: { FERMATA_HOME: join(cwd, '../home'), ...env }, limitMs: 300_000 };
}

/** A hub, and 16 clients that add tasks until they are stopped or refused. */
async function underLoad(at: Place) {
  const hub = startFermata(['serve', '--port', '0', '--format', 'json'], at);
  const [line = ''] = (await hub.shows(/\n/)).split('\n');
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  const call = (method: string, path: string, body?: unknown) =>
    request(url + path, method, body, { authorization: `Bearer ${token}` });
  await fermata(['tasks', 'add', 'First'], at);
  const [{ id: project }] = (await call('GET', '/projects')).body.data;
  const acknowledged: string[] = [];
  const refused: string[] = [];
  let isOver = false;
  const clients = Array.from({ length: 16 }, async () => {
    while (!isOver && refused.length < 100) {
      const { status, body } = await call('POST', `/projects/${project}/tasks`, { title: 'x'.repeat(500) });
      if (status === 201) acknowledged.push(body.data.id);
      else refused.push(body.error.code);
    }
  });
  const stop = async () => {
    isOver = true;
    await Promise.all(clients);
  };
  const until = async (count: number) => {
    while (acknowledged.length < count) await sleep(10);
  };
  return { hub, acknowledged, refused, until, stop };
}

/** Directly, because a file has other projects for a folder than a server. */
function taskIds(store: string): string[] {
  const connection = new DatabaseSync(store);
  const rows = connection.prepare('select id from tasks').all() as { id: string }[];
  connection.close();
  return rows.map(({ id }) => id);
}

async function backups(at: Place): Promise<void> {
  const load = await underLoad(at);
  for (let round = 1; round <= 5; round++) {
    await load.until(round * 300);
    const before = [...load.acknowledged];
    const file = `backup-${round}`;
    const made = await fermata(['ledger', 'backup', file], at);
    expect(made, made.stderr).toMatchObject({ code: 0 });
    const elsewhere = join(at.cwd, `restored-${round}.db`);
    const restored = await fermata(['ledger', 'restore', file, '--store', elsewhere], at);
    expect(restored, restored.stderr).toMatchObject({ code: 0 });
    expect(taskIds(elsewhere)).toEqual(expect.arrayContaining(before));
    expect(await fermata(['ledger', 'check', '--store', elsewhere], at)).toMatchObject({ code: 0 });
  }
  await load.stop();
  expect(load.refused).toEqual([]);
  load.hub.child.kill('SIGTERM');
  await load.hub.ended;
}

describe('a ledger under load', () => {
  it('OPS-1 every backup of a file has every acknowledged row', () => backups(place()));

  it.skipIf(postgresMissing !== undefined)(
    'OPS-1 every backup from PostgreSQL has every acknowledged row',
    async () => backups(place({ FERMATA_STORE: await freshDatabase() })),
  );

  it('OPS-2 a hub whose log is deleted refuses from then on, and nothing that it acknowledged is lost', async () => {
    for (let round = 0; round < 5; round++) {
      const at = place();
      const load = await underLoad(at);
      await load.until(200);
      rmSync(join(at.env.FERMATA_HOME ?? '', 'ledger.db-wal'));
      while (load.refused.length === 0) await sleep(5);
      await load.stop();
      expect(new Set(load.refused)).toEqual(new Set(['damaged']));
      load.hub.child.kill('SIGKILL');
      expect((await load.hub.ended).stderr).toContain('ledger.db-wal was replaced or deleted');
      const store = join(at.env.FERMATA_HOME ?? '', 'ledger.db');
      expect(taskIds(store)).toEqual(expect.arrayContaining(load.acknowledged));
      expect(await fermata(['ledger', 'check'], at)).toMatchObject({ code: 0 });
    }
  });

  it('OPS-1 a backup and a restore that are killed at any moment leave one whole ledger and no half file', async () => {
    const at = place();
    const load = await underLoad(at);
    await load.until(2000);
    await load.stop();
    load.hub.child.kill('SIGTERM');
    await load.hub.ended;
    await fermata(['ledger', 'backup', 'whole.db'], at);
    await fermata(['tasks', 'add', 'Only in the ledger'], at);
    const store = join(at.env.FERMATA_HOME ?? '', 'ledger.db');
    const both = taskIds(store).length;
    for (let round = 0; round < 20; round++) {
      for (const args of [
        ['backup', 'half.db'],
        ['restore', 'whole.db', '--yes'],
      ]) {
        const running = startFermata(['ledger', ...args], at);
        await sleep(60 + 15 * round);
        running.child.kill('SIGKILL');
        await running.ended;
      }
      if (existsSync(join(at.cwd, 'half.db')))
        expect(await fermata(['ledger', 'check', '--store', 'half.db'], at)).toMatchObject({ code: 0 });
      rmSync(join(at.cwd, 'half.db'), { force: true });
      expect(await fermata(['ledger', 'check'], at)).toMatchObject({ code: 0 });
      expect([both, both - 1]).toContain(taskIds(store).length);
    }
    const kept = readdirSync(at.env.FERMATA_HOME ?? '').filter((name) => name.includes('.before-'));
    for (const name of kept)
      expect(
        await fermata(['ledger', 'check', '--store', join(at.env.FERMATA_HOME ?? '', name)], at),
      ).toMatchObject({
        code: 0,
      });
  });
});

it('OPS-9 with a million events and 200,000 decisions, the newest page takes at most 50 ms more than with none', async () => {
  const [big, small] = [place(), place()];
  for (const at of [big, small]) await fermata(['tasks', 'add', 'One'], at);
  const connection = new DatabaseSync(join(big.env.FERMATA_HOME ?? '', 'ledger.db'));
  connection.exec(
    `pragma synchronous = off;
     with recursive n(i) as (select 2 union all select i + 1 from n where i < 1000000)
     insert into events select e.project_id, n.i, e.at, e.type, e."by", e.data, null from n, events e where e.number = 1;
     update projects set last_event = 1000000;
     with recursive n(i) as (select 1 union all select i + 1 from n where i < 200000)
     insert into decisions select 'd-' || n.i, p.id, 'k' || n.i, 'Which way for ' || n.i || '?', '"left"', null, 'plan', 'x', 'n-' || n.i,
       '{"actor":{"kind":"person","name":"ann"},"channel":"command"}', n.i, 0, null from n, projects p`,
  );
  connection.close();
  for (const args of [
    ['events'],
    ['decisions'],
    ['events', '--json', '-n', '50'],
    ['decisions', '--json', '-n', '50'],
  ]) {
    const [most, least] = [await fastest(big, args), await fastest(small, args)];
    expect(most, `${args.join(' ')}: ${most} ms, empty ${least} ms`).toBeLessThan(least + 50);
  }
});

async function fastest(at: Place, args: string[]): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 10; round++) {
    const started = performance.now();
    expect(await inProcess(args, at)).toMatchObject({ code: 0 });
    best = Math.min(best, performance.now() - started);
  }
  return best;
}
