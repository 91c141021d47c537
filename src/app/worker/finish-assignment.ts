import { FermataError } from '../../schema/error.ts';
import type { HeldTask } from '../../work/run/task-loop.ts';
import type { WorkerParts } from './worker-parts.ts';

/** Adds the result to the chat of its task and closes the task. Safe to repeat. */
export async function finishAssignment(
  { ledger, who }: WorkerParts,
  { task, confirm }: HeldTask,
  said: string,
): Promise<void> {
  const { projectId, id, fence } = task;
  await confirm();
  const before = await ledger.tasks.chat(projectId, id);
  if (before.at(-1)?.text !== said) await ledger.tasks.say(projectId, id, said, who);
  await ledger.tasks.endPhase(projectId, id, who, fence);
}

/** The previous holder may still hold the agent, because the agent's lease expires a moment later. */
export function asBusy(error: unknown): never {
  const isHeld = error instanceof FermataError && error.code === 'conflict' && hasHolder(error.details);
  throw isHeld ? new FermataError('busy', error.message, { cause: error }) : error;
}

const hasHolder = (details: unknown) =>
  typeof details === 'object' && details !== null && 'holder' in details;
