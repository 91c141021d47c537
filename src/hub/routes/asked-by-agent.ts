import type { Ledger } from '../../ledger/ledger.ts';
import { holdsTask } from '../../ledger/settle.ts';
import { FermataError } from '../../schema/error.ts';
import type { CreateInput } from '../../schema/notification.ts';
import type { Caller } from '../auth/caller.ts';
import { refuseForeignClaim } from './task-holder.ts';

/** Each reminder goes to somebody's phone, on and on. */
const LEAST_PAUSE_SECONDS = 60;

/** What an agent asks is for a run that it holds, and for a task that nobody else does: neither then, nor when it is stored. */
export async function askedByAgent(
  { runs, tasks }: Ledger,
  caller: Caller,
  input: CreateInput,
): Promise<CreateInput> {
  const { projectId, source, sourceId, resume, fence, policy } = input;
  if (policy?.kind === 'remind' && policy.after < LEAST_PAUSE_SECONDS) {
    throw new FermataError(
      'invalid',
      `An agent reminds at most once in ${LEAST_PAUSE_SECONDS} seconds: give a larger "after" in its "policy".`,
    );
  }
  if (resume?.run !== undefined && (await runs.get(projectId, resume.run)).holder !== caller.name) {
    throw new FermataError('forbidden', `Run ${resume.run} is not yours to ask for.`);
  }
  if (fence === undefined && !holdsTask(source, resume?.run)) return input;
  const task = await tasks.find(projectId, sourceId);
  if (!task) return input;
  refuseForeignClaim(caller, task);
  return { ...input, fence: fence ?? task.fence };
}
