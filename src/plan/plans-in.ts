import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MASTER } from './grammar/parse-plan.ts';

/** The names of the plans in a folder of plans. Hidden entries are backups of replaced plans. */
export function plansIn(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => !name.startsWith('.') && hasMaster(join(folder, name)))
    .sort();
}

/** Works for a plain file too, which is not a plan. */
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
