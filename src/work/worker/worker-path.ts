import { join, relative, resolve } from 'node:path';
import { findRepository } from '../../config/repository.ts';
import { realPath } from '../../files/real-path.ts';
import { FermataError } from '../../schema/error.ts';
import type { Context } from '../context.ts';
import { isBelow } from '../kinds/folder-inside.ts';

type Where = Pick<Context, 'cwd' | 'settings'>;

const topFor = ({ cwd, settings }: Where) =>
  realPath(findRepository(cwd)?.top ?? settings.project.value.root);

/** The path of a project folder as workers use it: relative to the top of their clone. */
export function workerPath(context: Where, folder: string): string {
  const top = topFor(context);
  if (isBelow(top, folder)) return relative(top, folder);
  throw new FermataError(
    'invalid',
    `${folder} is outside the project. Workers write only inside it, so name a folder there.`,
  );
}

/** A folder as it is stored with a task: from the top of the project if it is inside of it. */
export function storedPath(context: Where, folder: string): string {
  const top = topFor(context);
  return isBelow(top, folder) ? relative(top, folder) : folder;
}

/** The folder that is stored like this. */
export const folderOf = (context: Where, path: string): string => resolve(topFor(context), path);

/** The folder of a plan, as workers get it. */
export function workerPlan(context: Where, output: string | undefined, name: string) {
  const { cwd, settings } = context;
  return workerPath(context, resolve(cwd, output ?? join(settings.project.value.root, 'plans', name)));
}
