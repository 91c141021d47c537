import * as z from 'zod';
import type { Ledger } from '../ledger/ledger.ts';
import { FermataError } from '../schema/error.ts';
import { type CreateInput, Source } from '../schema/notification.ts';

/** The run whose agent called this command: what it asks is tied to it. */
export const ownRun = ({ FERMATA_RUN: run }: NodeJS.ProcessEnv): Pick<CreateInput, 'run'> =>
  run ? { run } : {};

/** What ties a question to the task that waits for it. */
export type OnTask = Pick<CreateInput, 'sourceId' | 'run' | 'fence' | 'keep' | 'takeUp' | 'life'> & {
  /** Of the run that sent the agent out without a task. */
  source?: Source;
};

const Asks = z.object({ source: Source, sourceId: z.string() });

/**
 * The task that a question of this process is for: the one that a run has sent its agent out on, where it is one of this
 * project, else the one that was named. The run's is kept for it while the agent waits, and an agent that was killed and
 * asks again takes up what it asked before. An agent that has no task, such as that of a draft, asks for its run. To hold up another's task is not an agent's to say.
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
