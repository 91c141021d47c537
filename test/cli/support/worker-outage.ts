import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { freshFolder, startFermata } from '../../support/fermata.ts';
import type { ownPostgres } from '../../support/own-postgres.ts';
import type { Outage } from '../../support/postgres.ts';
import { planRepository } from '../run/support/plan-repository.ts';

/** A worker with a running agent survives an outage: it finishes the phase, and then takes the next one. */
export async function workerSurvivesOutage(
  postgres: ReturnType<typeof ownPostgres>,
  { how, ms }: { how: Outage; ms: number },
): Promise<void> {
  const go = join(freshFolder(), 'go');
  const waits = { do: 'run' as const, command: `until [ -e '${go}' ]; do sleep 0.5; done` };
  const writes = (id: string) => ({ do: 'write' as const, path: `${id}.txt`, content: 'x\n' });
  const phases = [
    { id: '1', steps: [waits, writes('1')] },
    { id: '2', dependsOn: ['1'], steps: [writes('2')] },
  ];
  const place = planRepository(phases, { FERMATA_STORE: await postgres.createDatabase() });
  const queued = await place.run('--queue', '--trust', '--no-review');
  expect(queued.code, queued.stderr).toBe(0);
  const limitMs = ms + 200_000;
  const worker = startFermata(['worker', '--can', 'scripted', '--slots', '1'], { ...place.at, limitMs });
  const ledger = await openLedger(place.at.env?.FERMATA_STORE ?? '', {}, { ms: 120_000 });
  try {
    const [project] = await ledger.projects.list();
    const id = project?.id ?? '';
    const agents = async () =>
      (await ledger.runs.list(id)).filter(({ status }) => status === 'running').length;
    await expect.poll(agents, { timeout: 90_000 }).toBe(1);
    await postgres.halt(how);
    await sleep(ms);
    await postgres.bringBack();
    writeFileSync(go, '');
    const closed = async () => (await ledger.tasks.standing(id)).closed;
    await expect.poll(closed, { timeout: 120_000 }).toBe(2);
    const runs = await ledger.runs.list(id);
    expect(runs.map(({ end }) => end?.reason)).toEqual(['ok', 'ok']);
  } finally {
    await ledger.close();
  }
  worker.child.kill('SIGTERM');
  const { code, stderr } = await worker.ended;
  expect(code, stderr).toBe(0);
  expect(stderr.match(/The store is /g)?.length ?? 0).toBeLessThanOrEqual(2);
  expect(place.git('log', '--merges', '--format=%s', 'work').split('\n')).toHaveLength(2);
}
