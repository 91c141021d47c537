import { findRepository } from '../../config/repository.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { By } from '../../schema/actor.ts';
import { cmd } from '../../schema/command-line.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { Task } from '../../schema/task.ts';
import { phaseOnRecord } from '../plans/approved-plan.ts';
import { requirePermit } from './phase-standing.ts';

/** Closes a task; a phase only if it may end. */
export async function closeTask(
  ledger: Ledger,
  projectId: string,
  id: string,
  by: By,
  fence?: number,
): Promise<Task> {
  const { kind, status } = await ledger.tasks.get(projectId, id);
  if (kind === 'task' || status === 'closed' || by.actor.kind === 'agent')
    return ledger.tasks.close(projectId, id, by, fence);
  // A person may close anything else that agents do at any time.
  if (kind !== 'phase') return ledger.tasks.end(projectId, id, by, fence);
  const found = await phaseOnRecord(ledger, projectId, id);
  if (!found) throw notApproved(id);
  const { root } = await ledger.projects.get(projectId);
  const git = root === null ? undefined : findRepository(root);
  await requirePermit('close', { ledger, projectId, name: found.name, git }, found.at);
  return ledger.tasks.end(projectId, id, by, fence);
}

function notApproved(id: string): Refusal {
  return new Refusal(
    'not_approved',
    `Nobody has approved the plan of ${id}, so Fermata cannot tell whether it is done.`,
    {
      suggestion: `Run the plan ("${cmd`run`}"), or complete the phase with "${cmd`plan complete-prompt`}".`,
    },
  );
}
