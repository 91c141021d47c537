import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MASTER } from './grammar/parse-plan.ts';

/** The names of the plans in a folder of plans. What is hidden there is the backup of a plan that was replaced. */
export function plansIn(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => !name.startsWith('.') && hasMaster(join(folder, name)))
    .sort();
}

/** Asked this way, a plain file among the plans is just no plan. */
export function hasMaster(folder: string): boolean {
  return namesIn(folder).some((name) => name.toUpperCase() === MASTER.toUpperCase());
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
