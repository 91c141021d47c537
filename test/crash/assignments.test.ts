import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { taskPlace } from '../cli/support/task-place.ts';
import { PLAN } from '../plan/convert/support/plans.ts';
import { startFermata } from '../support/fermata.ts';
import { sh } from '../work/support/repository.ts';

test('TEAM-2 TEAM-3 a worker is killed after it pushed a draft: one in another home finishes it, without another agent or commit', async () => {
  const place = taskPlace(
    { counts: 'all', invocations: [{ steps: [{ do: 'say', text: PLAN }] }] },
    { checks: [], env: { FERMATA_REMOTE: 'origin' } },
  );
  const remote = join(place.cwd, '../remote/shop.git');
  place.git('clone', '--quiet', '--bare', place.cwd, remote);
  place.git('remote', 'add', 'origin', remote);
  const queued = await place.cli('draft', 'A shop', '--agent', 'scripted', '--queue');
  expect(queued.code, queued.stderr).toBe(0);
  expect(queued.stdout).toContain('Queued as draft:a-shop for workers with scripted.');
  const store = join(place.at.env?.FERMATA_HOME ?? '', 'ledger.db');
  const start = (name: string, more: Record<string, string> = {}) => {
    const env = { ...place.at.env, FERMATA_HOME: join(place.cwd, '..', name), FERMATA_STORE: store, ...more };
    return startFermata(['worker', '--can', 'scripted'], { env });
  };
  await start('one', { FERMATA_CRASH_AT: 'assignment.used=kill' }).ended;
  const branch = 'main--draft-a-shop';
  const pushed = sh(remote, 'rev-parse', branch);
  start('two');
  const ledger = await openLedger(store);
  try {
    const [project] = await ledger.projects.list();
    const id = project?.id ?? '';
    for await (const _ of ledger.events.changes(AbortSignal.timeout(60_000)))
      if ((await ledger.tasks.get(id, 'draft:a-shop')).status === 'closed') break;
    expect(await ledger.tasks.chat(id, 'draft:a-shop')).toMatchObject([
      { text: `The plan is in plans/a-shop. Pushed to branch ${branch} of ${remote}.` },
    ]);
    expect(await ledger.runs.list(id, 10)).toHaveLength(1);
  } finally {
    await ledger.close();
  }
  expect(sh(remote, 'rev-parse', branch)).toBe(pushed);
  expect(sh(remote, 'show', `${branch}:plans/a-shop/MASTER_PLAN.md`)).toContain('# Shop - Master Plan');
});
