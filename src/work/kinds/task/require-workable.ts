import { isDeadHolder } from '../../../agents/run/lease.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { cmd } from '../../../schema/command-line.ts';
import { Refusal } from '../../../schema/refusal.ts';
import { isAsking, type Task } from '../../../schema/task.ts';
import { isFailedHere } from '../../run/faults.ts';

/** Throws, with what to do, unless agents can work on this task now or once its questions are answered. */
export async function requireWorkable(ledger: Ledger, task: Task): Promise<void> {
  refuseOtherKind(task);
  refuseBlocked(task);
  refuseHeld(task);
  await refuseUnfinished(ledger, task);
  await refuseUndescribed(ledger, task);
}

function refuseOtherKind({ id, kind }: Task): void {
  if (kind === 'task') return;
  if (kind !== 'phase')
    throw new Refusal('queued', `${id} is not a plain task (${kind}), so it cannot be run here.`, {
      suggestion: `Leave it to a worker: ${cmd`worker`}`,
      code: 'invalid',
    });
  const plan = id.slice(0, id.lastIndexOf('/'));
  throw new Refusal('phase', `${id} is a phase of a plan.`, {
    suggestion: `Run the plan: ${cmd`run ${`plans/${plan}`}`}`,
    code: 'invalid',
  });
}

/** Somebody blocked it on purpose. A task that only failed here is retried. */
function refuseBlocked(task: Task): void {
  const { id, status, blockReason } = task;
  if (status === 'closed')
    throw new Refusal('closed', `${id} is closed.`, {
      suggestion: `To work on it again: ${cmd`tasks reopen ${id}`}`,
    });
  if (status !== 'blocked' || isAsking(task) || isFailedHere(task)) return;
  throw new Refusal('blocked', `${id} is blocked: ${blockReason}.`, {
    suggestion: `If that is settled: ${cmd`tasks unblock ${id}`}`,
  });
}

function refuseHeld({ id, status, assignee, leaseUntil }: Task): void {
  if (status !== 'in_progress' || assignee === null || isDeadHolder(assignee)) return;
  if (leaseUntil !== null && leaseUntil <= new Date().toISOString()) return;
  throw new Refusal(
    'held',
    `${assignee} holds ${id}${leaseUntil === null ? '' : ` (lease until ${leaseUntil})`}.`,
    {
      suggestion: `Wait until it is done. If that agent is gone, release the task: ${cmd`tasks release ${id}`}`,
      data: { holder: assignee },
    },
  );
}

async function refuseUnfinished(ledger: Ledger, { id, projectId, dependsOn }: Task): Promise<void> {
  const before = await Promise.all(dependsOn.map((other) => ledger.tasks.find(projectId, other)));
  const unfinished = before.flatMap((task) => (task && task.status !== 'closed' ? [task.id] : []));
  if (unfinished.length === 0) return;
  throw new Refusal('not_ready', `${id} waits for ${unfinished.slice(0, 10).join(', ')}.`, {
    suggestion: `Work on that first: ${cmd`tasks work ${unfinished.slice(0, 1)}`}`,
  });
}

async function refuseUndescribed(ledger: Ledger, { id, projectId, body }: Task): Promise<void> {
  if (body.trim() !== '') return;
  const said = await ledger.tasks.chat(projectId, id, { limit: 1 });
  if (said.length > 0) return;
  throw new Refusal('no_description', `${id} has only a title, so an agent would have to guess.`, {
    suggestion: `Say what to do: ${cmd`tasks edit ${id} --body TEXT`}`,
    code: 'invalid',
  });
}
