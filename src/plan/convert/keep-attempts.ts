import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FermataError } from '../../schema/error.ts';
import { type NewFile, writeFiles } from '../write-plan-folder.ts';

/** The newest failed plans that are kept; nobody looks at older ones. */
const MAX_KEPT = 20;

/** Saves an attempt as it came, and its readable part as a plan; returns the path. */
export function keepAttempt(
  folder: string,
  number: number,
  answer: string,
  files: readonly NewFile[],
): string {
  const place = join(folder, `attempt-${number}`);
  const said = `${place}.answer.txt`;
  writeFileSync(said, answer, { mode: 0o600 });
  rmSync(place, { recursive: true, force: true });
  if (files.length === 0) return said;
  mkdirSync(place);
  writeFiles(place, files);
  return place;
}

/** Removes the attempts once the plan is in place. */
export function forgetAttempts(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Creates the folder for a plan's attempts, before any work is done for them. */
export function openAttempts(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new FermataError('read_only', `Cannot save attempts in ${folder}: ${(cause as Error).message}.`, {
      cause,
    });
  }
  makeRoom(folder);
}

function makeRoom(folder: string): void {
  const above = dirname(folder);
  const kept = readdirSync(above).map((name) => join(above, name));
  if (kept.length <= MAX_KEPT) return;
  const age = new Map(
    kept.map((path) => [path, statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0] as const),
  );
  const oldest = kept.filter((path) => path !== folder).sort((a, b) => (age.get(a) ?? 0) - (age.get(b) ?? 0));
  for (const path of oldest.slice(0, kept.length - MAX_KEPT)) forgetAttempts(path);
}
