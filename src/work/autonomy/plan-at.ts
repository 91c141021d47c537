import { posix } from 'node:path';
import type { BlobTexts, TreeFile } from '../../git/tree-files.ts';
import { parseMaster } from '../../plan/grammar/master.ts';
import { assemblePlan, MASTER } from '../../plan/grammar/parse-plan.ts';
import type { Plan } from '../../plan/grammar/plan.ts';

/** A plan in a commit, with its folder relative to the top; undefined if the commit has none. */
export async function planAt(
  files: readonly TreeFile[],
  plan: string,
  texts: BlobTexts,
): Promise<Plan | undefined> {
  const file = masterAt(files, plan);
  if (file === undefined) return undefined;
  await texts.load([file]);
  const master = parseMaster({ path: posix.basename(file.path), text: texts.of(file) });
  const paths = new Set(master.rows.flatMap(({ path, outside }) => (outside ? [] : [path])));
  const byPath = new Map(files.map((each) => [each.path, each]));
  const pages = [...paths].map((path) => ({ path, file: byPath.get(posix.join(plan, path)) }));
  await texts.load(pages.map((page) => page.file));
  return assemblePlan(
    master,
    pages.map((page) => ({ path: page.path, text: texts.of(page.file) })).filter(({ text }) => text !== ''),
  );
}

/** The master file of a plan, in any spelling of its name. */
export function masterAt(files: readonly TreeFile[], plan: string): TreeFile | undefined {
  return files.find(
    ({ path }) => posix.basename(path).toLowerCase() === MASTER.toLowerCase() && posix.dirname(path) === plan,
  );
}
