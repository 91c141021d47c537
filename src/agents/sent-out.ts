import type { Ledger } from '../ledger/ledger.ts';
import { FermataError } from '../schema/error.ts';
import type { CreateInput } from '../schema/notification.ts';

/** What ties a question to the task that waits for it. */
export type OnTask = Pick<CreateInput, 'sourceId' | 'fence' | 'keep' | 'takeUp'>;

/**
 * The task that a question of this process is for: the one that a run has sent its agent out on, where it is one of this
 * project, else the one that was named. The run's is kept for it while the agent waits, and an agent that was killed and
 * asks again takes up what it asked before. To hold up another's task is not an agent's to say.
 */
export async function askedOn(
  ledger: Ledger,
  projectId: string,
  named: string | undefined,
  { FERMATA_TASK: own, FERMATA_FENCE: number }: NodeJS.ProcessEnv,
): Promise<OnTask | undefined> {
  if (own && named !== undefined && named !== own)
    throw new FermataError(
      'forbidden',
      `You were sent out for ${own}, not for ${named}. Ask without --task.`,
    );
  const fence = number ? Number(number) : undefined;
  if (own && fence !== undefined && (await ledger.tasks.find(projectId, own)))
    return { sourceId: own, fence, keep: true, takeUp: true };
  if (named === undefined) return undefined;
  await ledger.tasks.get(projectId, named);
  return { sourceId: named, ...(fence === undefined ? {} : { fence }) };
}
