import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { fermata } from '../../support/fermata.ts';
import { planRepository } from './support/plan-repository.ts';

test('WORK-6 a queued phase can be cancelled: neither a worker nor a run starts it until a person takes it back', async () => {
  const steps = [{ do: 'write' as const, path: 'a.txt', content: 'a\n' }];
  const place = planRepository([
    { id: '1', steps },
    { id: '2', dependsOn: ['1'] },
  ]);
  expect((await place.run('--queue', '--trust', '--no-review')).code).toBe(0);
  const withdrawn = await fermata(['tasks', 'withdraw', 'shop/1'], place.at);
  expect(withdrawn.code, withdrawn.stderr).toBe(0);

  const ledger = await openLedger(join(place.cwd, '../home/ledger.db'));
  try {
    const [{ id = '' } = {}] = await ledger.projects.list();
    const [group] = await ledger.queue.groups();
    expect(group).toBeUndefined();
    const run = await place.run('--no-review');
    expect(run.stdout).toContain('Withdrawn');
    expect(await ledger.runs.ofTask(id, 'shop/1')).toEqual([]);
  } finally {
    await ledger.close();
  }
  expect(existsSync(join(place.cwd, 'a.txt'))).toBe(false);

  expect((await fermata(['tasks', 'unblock', 'shop/1'], place.at)).code).toBe(0);
  const run = await place.run('--no-review');
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(existsSync(join(place.cwd, 'a.txt'))).toBe(true);
});
