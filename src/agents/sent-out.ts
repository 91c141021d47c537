import type { Ledger } from '../ledger/ledger.ts';
import type { CreateInput } from '../schema/notification.ts';

/** What ties a question to the task that waits for it. */
export type OnTask = Pick<CreateInput, 'sourceId' | 'fence' | 'keep' | 'takeUp'>;

/**
 * The task that this process's agent was sent out on by a run, where it is one of this project. The task is kept for
 * the run while the agent waits; an agent that was killed and asks again takes up what it asked before.
 */
export async function sentOutOn(
  ledger: Ledger,
  projectId: string,
  { FERMATA_TASK: task, FERMATA_FENCE: fence }: NodeJS.ProcessEnv,
): Promise<OnTask | undefined> {
  if (!task || !fence || !(await ledger.tasks.find(projectId, task))) return undefined;
  return { sourceId: task, fence: Number(fence), keep: true, takeUp: true };
}
