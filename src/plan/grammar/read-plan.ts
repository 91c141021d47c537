import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { withFileInside } from '../../files/open-inside.ts';
import { finishMove } from '../write-plan-folder.ts';
import { parseMaster } from './master.ts';
import { assemblePlan, MASTER, parsePlan } from './parse-plan.ts';
import type { Plan, PlanFile, UnreadableFile } from './plan.ts';

const MAX_SIZE = 32 * 1024 * 1024;

export interface PlanOnDisk {
  folder: string;
  plan: Plan;
}

/**
 * Reads the plan in a folder, or the one with this master file. Opens nothing outside its folder. `only`: reads just
 * these phase files, if only one of thousands is needed.
 */
export function readPlan(target: string, only?: readonly string[]): PlanOnDisk {
  const span = resolve(target);
  const isFile = attempt(MASTER, () => statSync(span, { throwIfNoEntry: false })?.isFile() ?? false) === true;
  const folder = isFile ? dirname(span) : span;
  attempt(MASTER, () => finishMove(folder));
  const wanted = isFile ? basename(span) : MASTER;
  const masters = readMasters(folder, wanted);
  const [master] = masters;
  if (!master || masters.length > 1 || !('text' in master))
    return { folder, plan: parsePlan(masters, wanted) };
  const parsed = parseMaster(master);
  const paths = new Set(parsed.rows.filter((row) => !row.outside).map((row) => row.path));
  const wantedPaths = only === undefined ? [...paths] : only.filter((path) => paths.has(path));
  const phases = wantedPaths.flatMap((path) => readFile(folder, path) ?? []);
  return { folder, plan: assemblePlan(parsed, [master, ...phases]) };
}

/** `MASTER_PLAN.md` and `Master_Plan.md` may both exist; then both are read. */
function readMasters(folder: string, wanted: string): PlanFile[] {
  const names = attempt(wanted, () => {
    if (wanted !== MASTER) return [wanted];
    const there = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
    return there ? readdirSync(folder).filter((name) => name.toUpperCase() === MASTER.toUpperCase()) : [];
  });
  if (!Array.isArray(names)) return names ? [names] : [];
  return names.flatMap((name) => readFile(folder, name) ?? []);
}

function readFile(folder: string, path: string): PlanFile | undefined {
  return attempt(path, (): PlanFile | undefined => {
    const read = withFileInside([folder], join(folder, path), (file, kind): PlanFile => {
      if (kind.isDirectory()) return unreadable(path, 'is a folder');
      if (!kind.isFile()) return unreadable(path, 'is not a file');
      if (kind.size > MAX_SIZE)
        return unreadable(path, `has ${kind.size} bytes; at most ${MAX_SIZE} are allowed`);
      const bytes = readFileSync(file);
      return isUtf8(bytes) ? { path, text: bytes.toString('utf8') } : unreadable(path, 'is not UTF-8 text');
    });
    const message = "is a link that points outside the plan's folder";
    return read === 'outside' ? { path, fault: 'outside', message } : read;
  });
}

/** A problem with a file is a finding about it and does not stop the rest. */
function attempt<T>(path: string, work: () => T): T | UnreadableFile | undefined {
  try {
    return work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return unreadable(path, code === 'EACCES' ? 'is not readable by you' : `is not readable (${message})`);
  }
}

function unreadable(path: string, message: string): UnreadableFile {
  return { path, fault: 'unreadable', message };
}
