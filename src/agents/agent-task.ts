import * as z from 'zod';
import type { Ledger } from '../ledger/ledger.ts';
import { FermataError } from '../schema/error.ts';
import { type CreateInput, Source } from '../schema/notification.ts';

/** The run whose agent called this command; its questions belong to that run. */
export const ownRun = ({ FERMATA_RUN: run }: NodeJS.ProcessEnv): Pick<CreateInput, 'run'> =>
  run ? { run } : {};

/** Links a question to the task that waits for it. */
export type OnTask = Pick<CreateInput, 'sourceId' | 'run' | 'fence' | 'keep' | 'takeUp' | 'life'> & {
  /** The source of the run, if its agent has no task. */
  source?: Source;
};

const Asks = z.object({ source: Source, sourceId: z.string() });

/**
 * Finds the task that a question of this process belongs to: the task of the agent's run if it is in this project,
 * otherwise the named one. While the agent waits, the run's task stays claimed, and an agent that was killed and asks
 * again gets its earlier question back. An agent without a task, such as the one that drafts a plan, asks on behalf of
 * its run. An agent must not block another agent's task.
 */
export async function taskForQuestion(
  ledger: Ledger,
  projectId: string,
  named: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<OnTask | undefined> {
  const { FERMATA_TASK: own, FERMATA_FENCE: number, FERMATA_LIFE: life, FERMATA_ASKS: asks } = env;
  const agent = { ...ownRun(env), takeUp: true, ...(life ? { life } : {}) };
  if (own && named !== undefined && named !== own)
    throw new FermataError('forbidden', `Your task is ${own}, not ${named}. Ask without --task.`);
  const fence = number ? Number(number) : undefined;
  if (own && fence !== undefined && (await ledger.tasks.find(projectId, own)))
    return { sourceId: own, fence, keep: true, ...agent };
  if (named === undefined && asks) return { ...Asks.parse(JSON.parse(asks)), ...agent };
  if (named === undefined) return undefined;
  await ledger.tasks.get(projectId, named);
  return { sourceId: named, ...(fence === undefined ? {} : { fence }) };
}
