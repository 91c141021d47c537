import { accessSync, constants, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { realPath } from '../files/real-path.ts';
import { FermataError } from '../schema/error.ts';
import { MASTER } from './grammar/parse-plan.ts';

/**
 * A plan's name is the name of its folder. It may come from outside and becomes part of a path, and hidden folders are
 * backups.
 */
export function requirePlanName(name: string): void {
  if (/^[^./\\\p{Cc}][^/\\\p{Cc}]{0,199}$/u.test(name)) return;
  throw new FermataError(
    'invalid',
    `"${name.slice(0, 200)}" cannot name a plan. Use up to 200 characters, no slashes, and no dot at the beginning.`,
  );
}

/** Refuses a folder that is not empty or cannot be created, before any work is done for it. */
export function refuseUnusableFolder(folder: string, replace = false): void {
  requirePlanName(basename(folder));
  let above = dirname(folder);
  while (!existsSync(above) && above !== dirname(above)) above = dirname(above);
  try {
    accessSync(`${above}${sep}.`, constants.W_OK);
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code === 'ENOTDIR' ? 'not a folder' : 'not writable';
    const message = `Cannot write the plan to ${folder}: ${above} is ${why}. Choose another folder with --output.`;
    throw new FermataError('read_only', message, { cause });
  }
  refuseUsedFolder(folder, replace);
}

/** With `replace`, the folder may contain a plan and nothing else, because everything in it is moved to the backup. */
export function refuseUsedFolder(folder: string, replace: boolean): void {
  const found = lstatSync(realFolder(folder), { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isDirectory())
    throw new FermataError('invalid', `${folder} is not a folder. Choose another one with --output.`);
  const entries = readdirSync(folder);
  if (entries.length === 0) return;
  if (!replace)
    throw new FermataError('invalid', `${folder} is not empty. Choose another folder with --output.`);
  const why = !entries.includes(MASTER)
    ? `has no ${MASTER}, so it is not a plan that can be replaced`
    : entries.includes('.git') || isAround(folder, process.cwd())
      ? 'contains more than a plan (a repository, or the current folder)'
      : undefined;
  if (why) throw new FermataError('invalid', `${folder} ${why}. Choose another folder with --output.`);
}

export const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory();

export const hasEntries = (folder: string) => isFolder(folder) && readdirSync(folder).length > 0;

function isAround(folder: string, place: string): boolean {
  return `${realPath(place)}${sep}`.startsWith(`${realPath(folder)}${sep}`);
}

/** The target of a link, so that the link itself stays. */
export const realFolder = (folder: string) => (existsSync(folder) ? realPath(folder) : folder);

/** A folder name from the first words of a text: `Add a login page!` becomes `add-a-login-page`. */
export function slug(text: string): string {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return (words ?? ['plan']).slice(0, 6).join('-').slice(0, 60);
}

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
