import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { realPath } from '../../files/real-path.ts';
import { writeAtOnce } from '../../files/write-at-once.ts';
import { FermataError } from '../../schema/error.ts';
import type { Plan, TextFile } from './plan.ts';
import { printPlan } from './print-plan.ts';
import type { TextEdit } from './text-edit.ts';

/** Applies the changes to the plan's files, each file atomically. Leaves a file alone that changed since it was read. */
export function writeEdits(folder: string, plan: Plan, edits: readonly TextEdit[]): void {
  const touched = new Set(edits.map(({ path }) => path));
  for (const file of printPlan(plan, edits)) {
    if (!touched.has(file.path)) continue;
    const before = plan.files.get(file.path);
    if (before && 'text' in before) replace(folder, before, file.text);
  }
}

function replace(folder: string, before: TextFile, text: string): void {
  try {
    const path = realPath(join(folder, before.path));
    if (readFileSync(path, 'utf8') !== before.text) {
      throw new FermataError(
        'conflict',
        `${before.path} was changed in the meantime, so it was not overwritten. Try again.`,
      );
    }
    writeAtOnce(path, text);
  } catch (error) {
    if (error instanceof FermataError) throw error;
    const { message } = error as Error;
    throw new FermataError('read_only', `Cannot write ${before.path}: ${message}.`, { cause: error });
  }
}
