import { readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findRepository } from '../config/repository.ts';
import { builtins } from './builtins.ts';
import type { Problem } from './problem.ts';
import type { Declaration } from './protocol.ts';
import { type ProtocolFolder, readProtocolFile, readText } from './read-file.ts';

/** A protocol as it was found: a file of the project, or one that comes with the package. */
export interface Found {
  from: 'project' | 'builtin';
  declaration: Declaration;
  problems: Problem[];
}

/** Where protocols come from: one folder, then those of the package. */
export interface Library {
  find(name: string): Promise<Found | undefined>;
  builtin(name: string): Found | undefined;
  names(): string[];
}

/** A file of the project's own protocols. */
export interface ProjectFile {
  name: string;
  /** The path in messages. */
  path: string;
  text: string;
}

export const PROTOCOLS_FOLDER = '.claude/protocols';
const FOLDER = join(...PROTOCOLS_FOLDER.split('/'));

/** The project's own protocols are in the nearest `.claude/protocols`, up to the top of the checkout. */
export function projectLibrary(folder: string): Library {
  return libraryOf(nearestFolder(resolve(folder)));
}

/** The files of the project's own protocols, unchanged. Invalid ones are skipped, because nobody can follow them. */
export function projectFiles(folder: string): ProjectFile[] {
  const own = nearestFolder(resolve(folder));
  if (!own) return [];
  return fileNames(own.path)
    .sort()
    .flatMap((name) => {
      const read = readText(own, `${name}.yaml`);
      return read && 'text' in read
        ? [{ name, path: join(own.shownAs, `${name}.yaml`), text: read.text }]
        : [];
    });
}

export function libraryOf(folder: ProtocolFolder | undefined): Library {
  const own = async (name: string): Promise<Found | undefined> => {
    const parsed = folder && (await readProtocolFile(folder, name));
    return parsed && { from: 'project', ...parsed };
  };
  return {
    find: async (name) => (await own(name)) ?? builtin(name),
    builtin,
    names: () => [...new Set([...(folder ? fileNames(folder.path) : []), ...builtins.keys()])].sort(),
  };
}

function builtin(name: string): Found | undefined {
  const declaration = builtins.get(name);
  return declaration && { from: 'builtin', declaration, problems: [] };
}

/** Outside a repository, only the folder itself counts: the folders above it may belong to anyone. */
function nearestFolder(folder: string): ProtocolFolder | undefined {
  const top = findRepository(folder)?.top ?? folder;
  for (let place = folder; ; place = dirname(place)) {
    const path = join(place, FOLDER);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
      return { path, shownAs: FOLDER, within: top };
    if (place === top || place === dirname(place)) return undefined;
  }
}

function fileNames(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml') && !name.startsWith('.'))
    .map((name) => name.slice(0, -'.yaml'.length));
}
