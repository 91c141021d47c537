import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readPlan } from '../../../plan/grammar/read-plan.ts';
import { FermataError } from '../../../schema/error.ts';
import type { Context } from '../../context.ts';

/** The plan's folder. Replaces a plan that nobody has begun; next to any other, creates a new one. */
export function planOutput(
  { cwd, settings }: Pick<Context, 'cwd' | 'settings'>,
  name: string,
  output: string | undefined,
): string {
  if (output !== undefined) {
    const folder = resolve(cwd, output);
    if (!isBegun(folder)) return folder;
    throw new FermataError(
      'invalid',
      `${output} has a plan that is already in progress. Choose another folder with --output.`,
    );
  }
  for (let number = 1; ; number++) {
    const folder = join(settings.project.value.root, 'plans', number === 1 ? name : `${name}-${number}`);
    if (!isBegun(folder)) return folder;
  }
}

const isBegun = (folder: string) =>
  existsSync(folder) && readPlan(folder).plan.phases.some(({ status }) => status !== 'pending');
