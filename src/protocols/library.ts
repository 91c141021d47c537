import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findRepository } from '../config/repository.ts';
import { withFileInside } from '../files/open-inside.ts';
import bugDiscovery from './builtin/bug-discovery.yaml';
import debugging from './builtin/debugging.yaml';
import discovery from './builtin/discovery.yaml';
import implementation from './builtin/implementation.yaml';
import type { ParsedProtocol } from './parse-protocol.ts';
import { type Declaration, errorAt, type Problem } from './protocol.ts';

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

/** A folder with protocols. */
interface ProtocolFolder {
  path: string;
  /** Its name in messages. */
  shownAs: string;
  /** The folder that links must not leave. */
  within: string;
}

const MAX_SIZE = 128 * 1024;

/** The protocol NAME of a folder; undefined if it has none. Reports a file that cannot be read as a problem. */
async function readProtocolFile(folder: ProtocolFolder, name: string): Promise<ParsedProtocol | undefined> {
  const file = join(folder.shownAs, `${name}.yaml`);
  const content = readText(folder, `${name}.yaml`);
  if (content === undefined) return undefined;
  if ('fault' in content) return unreadable(file, name, content.fault);
  // The YAML parser is needed only here.
  const { parseProtocol } = await import('./parse-protocol.ts');
  return parseProtocol(content.text, file, name);
}

/** The text of a file of the folder, or why it cannot be used; undefined if there is none. */
function readText(folder: ProtocolFolder, name: string): { text: string } | { fault: string } | undefined {
  const path = join(folder.path, name);
  try {
    const read = withFileInside([folder.path, folder.within], path, (file, kind) => {
      if (!kind.isFile()) return { fault: 'is not a file' };
      if (kind.size > MAX_SIZE) return { fault: `has ${kind.size} bytes; at most ${MAX_SIZE} are allowed` };
      const bytes = readFileSync(file);
      return isUtf8(bytes) ? { text: bytes.toString('utf8') } : { fault: 'is not UTF-8 text' };
    });
    return read === 'outside' ? { fault: 'is a link to something outside its folder' } : read;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return { fault: code === 'ENXIO' ? 'is not a file' : `cannot be read (${message})` }; // a socket
  }
}

function unreadable(file: string, name: string, fault: string): ParsedProtocol {
  const at = { file, line: 1, column: 1 };
  const nothing = { description: null, extends: null, inputs: null, outputs: null, steps: [] };
  return { declaration: { name, ...nothing, at }, problems: [errorAt(at, `This file ${fault}.`)] };
}

/** The protocols that come with the package, by name. */
const builtins: ReadonlyMap<string, Declaration> = new Map(
  [implementation, debugging, discovery, bugDiscovery].map((declaration) => [declaration.name, declaration]),
);
