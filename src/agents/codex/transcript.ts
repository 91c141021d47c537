import type { Transcript } from '../run/transcript.ts';
import { Rollout } from './rollout.ts';
import { type Keeper, rolloutFile } from './rollout-file.ts';

/** What a thread has on disk. A sub-agent's outcomes count only if it finished, or else they died with it. */
export async function transcript(keeper: Keeper, threadId: string): Promise<Transcript | undefined> {
  const own = await read(keeper, threadId);
  if (!own) return undefined;
  const results = new Map(own.results);
  for (const subAgent of own.subAgents) {
    const theirs = subAgent === threadId ? undefined : await read(keeper, subAgent);
    if (!theirs?.isDone) continue;
    for (const [callId, result] of theirs.results) results.set(askIdOf(subAgent, callId), result);
  }
  return { calls: own.calls, results, said: own.said, hasSubAgents: true };
}

/** Whether the record of a thread exists without anything in it. Codex always refuses to resume such a thread. */
export async function isBlank(keeper: Keeper, threadId: string): Promise<boolean> {
  return (await read(keeper, threadId))?.isBlank ?? false;
}

async function read(keeper: Keeper, threadId: string): Promise<Rollout | undefined> {
  const path = await rolloutFile(keeper, threadId);
  if (path === undefined) return undefined;
  const rollout = new Rollout(path);
  await rollout.readAppended();
  return rollout;
}

/** The key of a call that asks; for a sub-agent it includes the thread. */
export const askIdOf = (subAgent: string | undefined, callId: string) =>
  subAgent === undefined ? callId : `${subAgent}/${callId}`;
