import { isDeadHolder, processName } from '../../../src/agents/run/lease.ts';
import { openLedger } from '../../../src/index.ts';

void claim(process.argv.slice(2));

/** Claims the next task as a run does, prints it, and ends without releasing it, like a killed run. */
async function claim([store = '', projectId = '']: string[]): Promise<void> {
  const ledger = await openLedger(store);
  const worker = processName();
  const by = { actor: { kind: 'agent' as const, name: 'worker' }, channel: 'agent' as const };
  const lease = { worker, leaseSeconds: 3600 };
  const task = await ledger.tasks.claimNext(projectId, lease, by, { isDead: isDeadHolder });
  await ledger.close();
  console.log(JSON.stringify({ worker, task: task?.id ?? null }));
}
