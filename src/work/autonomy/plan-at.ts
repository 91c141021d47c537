import { posix } from 'node:path';
import { gitList } from '../../git/git.ts';
import { textAt } from '../../git/text-at.ts';
import { parseMaster } from '../../plan/grammar/master.ts';
import { assemblePlan, MASTER } from '../../plan/grammar/parse-plan.ts';
import type { Plan } from '../../plan/grammar/plan.ts';

/** A plan in a commit, with its folder relative to the top; undefined if the commit has none. */
export async function planAt(folder: string, commit: string, plan: string): Promise<Plan | undefined> {
  const read = async (path: string) => ({ path, text: await textAt(folder, commit, posix.join(plan, path)) });
  const name = await masterIn(folder, commit, plan);
  if (name === undefined) return undefined;
  const master = parseMaster(await read(name));
  const paths = new Set(master.rows.flatMap(({ path, outside }) => (outside ? [] : [path])));
  const pages = [];
  for (const path of paths) pages.push(await read(path));
  return assemblePlan(
    master,
    pages.filter(({ text }) => text !== ''),
  );
}

async function masterIn(folder: string, commit: string, plan: string): Promise<string | undefined> {
  const args = ['ls-tree', '-z', '--name-only', '--full-tree', '--end-of-options', commit];
  const paths = await gitList(folder, plan === '.' ? args : [...args, '--', `${plan}/`]);
  return paths
    .map((path) => posix.basename(path))
    .find((name) => name.toLowerCase() === MASTER.toLowerCase());
}
