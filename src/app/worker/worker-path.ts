import { join, relative, resolve } from 'node:path';
import { findRepository } from '../../config/repository.ts';
import { realPath } from '../../files/real-path.ts';
import { FermataError } from '../../schema/error.ts';
import type { Context } from '../context.ts';
import { isBelow } from '../folder-inside.ts';

/** The path of a project folder as workers use it: relative to the top of their clone. */
export function workerPath({ cwd, settings }: Pick<Context, 'cwd' | 'settings'>, folder: string): string {
  const top = realPath(findRepository(cwd)?.top ?? settings.project.value.root);
  if (isBelow(top, folder)) return relative(top, folder);
  throw new FermataError(
    'invalid',
    `${folder} is outside the project. Workers write only inside it, so name a folder there.`,
  );
}

/** A folder as it is stored with a task: from the top of the project if it is inside of it. */
export function storedPath({ cwd, settings }: Pick<Context, 'cwd' | 'settings'>, folder: string): string {
  const top = realPath(findRepository(cwd)?.top ?? settings.project.value.root);
  return isBelow(top, folder) ? relative(top, folder) : folder;
}

/** The folder that is stored like this. */
export function folderOf({ cwd, settings }: Pick<Context, 'cwd' | 'settings'>, path: string): string {
  return resolve(realPath(findRepository(cwd)?.top ?? settings.project.value.root), path);
}

/** The folder of a plan, as workers get it. */
export function workerPlan(
  context: Pick<Context, 'cwd' | 'settings'>,
  output: string | undefined,
  name: string,
) {
  const { cwd, settings } = context;
  return workerPath(context, resolve(cwd, output ?? join(settings.project.value.root, 'plans', name)));
}
