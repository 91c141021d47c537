import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planRepository } from '../cli/run/support/plan-repository.ts';
import { fermata, startFermata } from '../support/fermata.ts';
import { fillOnce, makeRoom, smallDisk } from '../support/small-disk.ts';

test('OPS-7 TEAM-2 a worker whose disk is full says so, blocks nothing, and continues by itself when there is space', async ({
  skip,
}) => {
  const disk = smallDisk(4096);
  if (disk === undefined) return skip('only root can mount a small disk');
  const cwd = join(disk, 'shop');
  mkdirSync(cwd);
  const steps = [{ do: 'write' as const, path: 'a.txt', content: 'a\n' }];
  const phases = [{ id: '1', steps, gate: `${fillOnce(disk)}; test -f a.txt` }];
  const place = planRepository(phases, { FERMATA_HOME: join(disk, '../worker-home') }, cwd);
  const queued = await place.run('--queue', '--trust', '--no-review');
  expect(queued.code, queued.stderr).toBe(0);
  const worker = startFermata(['worker', '--can', 'scripted'], place.at);
  let said = '';
  worker.child.stderr?.on('data', (chunk: string) => {
    said += chunk;
  });
  await expect.poll(() => said, { timeout: 60_000 }).toMatch(/The disk is full: .* releases the task/);
  const task = async () => {
    const { tasks } = JSON.parse((await fermata(['tasks', 'list', '--json'], place.at)).stdout);
    return tasks[0];
  };
  expect((await task()).blockReason).toBeNull();
  makeRoom(disk);
  await expect.poll(async () => (await task()).status, { timeout: 120_000 }).toBe('closed');
  worker.child.kill('SIGTERM');
  expect((await worker.ended).code).toBe(0);
  expect(place.git('log', '--merges', '--format=%s', 'work').split('\n')).toHaveLength(1);
}, 300_000);
