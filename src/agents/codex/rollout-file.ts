import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentSetup } from '../driver.ts';
import { isKeptIn } from '../run/transcript.ts';
import { outsidePath } from '../sandbox/arguments.ts';

/** The agent whose records we look for. */
export type Keeper = Pick<AgentSetup, 'env' | 'sandbox'>;

/** Where Codex keeps its configuration and its records. */
export function codexFolder({ CODEX_HOME, HOME }: AgentSetup['env']): string | undefined {
  return CODEX_HOME || (HOME === undefined ? undefined : join(HOME, '.codex'));
}

/** The record of a thread: `sessions/YEAR/MONTH/DAY/rollout-TIME-THREAD.jsonl`. Undefined while there is none. */
export async function rolloutFile({ env, sandbox }: Keeper, threadId: string): Promise<string | undefined> {
  const inside = codexFolder(env);
  if (inside === undefined) return undefined;
  const folder = sandbox ? outsidePath(sandbox, inside) : inside;
  const path = await find(join(folder, 'sessions'), `-${threadId}.jsonl`, 3);
  return path !== undefined && (await isKeptIn(folder, path)) ? path : undefined;
}

/** Newest folders first, because the file was usually written a moment ago. */
async function find(folder: string, ending: string, depth: number): Promise<string | undefined> {
  const names = (await readdir(folder).catch(() => [])).sort().reverse();
  if (depth === 0) {
    const name = names.find((each) => each.endsWith(ending));
    return name === undefined ? undefined : join(folder, name);
  }
  for (const name of names.filter((each) => /^\d{2,4}$/.test(each))) {
    const found = await find(join(folder, name), ending, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
