import { didYouMean } from '../config/near.ts';
import { FermataError } from '../schema/error.ts';
import { type Found, type Library, type ProjectFile, projectFiles, projectLibrary } from './library.ts';
import { mergeProtocol } from './merge.ts';
import {
  type Declaration,
  errorAt,
  listNames,
  nameFault,
  type Problem,
  type Protocol,
  refuseErrors,
} from './protocol.ts';

/**
 * The protocol of this name, with everything that it inherits: of the project that `folder` is in, or else a built-in one.
 *
 * @example (await resolveProtocol('debugging')).steps.map(({ number, text }) => `${number}: ${text}`)
 */
export async function resolveProtocol(name: string, { folder = '.' } = {}): Promise<Protocol> {
  const fault = nameFault(name);
  if (fault) throw new FermataError('invalid', fault);
  const library = projectLibrary(folder);
  const found = await library.find(name);
  if (!found) throw unknown(name, library);
  const { chain, problems } = await loadChain(found, library);
  refuseErrors(problems);
  const merged = mergeProtocol(chain);
  refuseErrors(merged.problems);
  return merged.protocol;
}

/** The project's own files that a protocol is made of: itself and what it extends. Empty for a built-in one. */
export async function ownFilesOf(name: string, folder: string): Promise<ProjectFile[]> {
  const library = projectLibrary(folder);
  const found = nameFault(name) ? undefined : await library.find(name);
  if (found?.from !== 'project') return [];
  const files = new Map(projectFiles(folder).map((file) => [file.path, file]));
  return (await loadChain(found, library)).chain.flatMap(({ at }) => files.get(at.file) ?? []);
}

function unknown(name: string, library: Library): FermataError {
  const names = library.names();
  return new FermataError(
    'invalid',
    `There is no protocol "${name}".${didYouMean(name, names)} ${listNames(names)}`,
  );
}

interface Chain {
  /** The base protocol, which extends nothing, comes first. */
  chain: [Declaration, ...Declaration[]];
  problems: Problem[];
}

/** Follows `extends` to its end. A missing or circular base is a problem at the line that names it. */
export async function loadChain(found: Found, library: Library): Promise<Chain> {
  const loaded: Chain = { chain: [found.declaration], problems: [...found.problems] };
  const seen = new Map([[found.declaration.at.file, found.declaration.name]]);
  for (let child = found; child.declaration.extends; ) {
    const { name, at } = child.declaration.extends;
    const base = await findBase(child, name, library);
    if (!base) {
      const names = library.names();
      const message = `There is no protocol "${name}" to extend.${didYouMean(name, names)}`;
      return withProblem(loaded, errorAt(at, `${message} ${listNames(names)}`));
    }
    const { file } = base.declaration.at;
    if (seen.has(file)) return withProblem(loaded, errorAt(at, circle(seen, file, base)));
    seen.set(file, base.declaration.name);
    loaded.chain.unshift(base.declaration);
    loaded.problems.push(...base.problems);
    child = base;
  }
  return loaded;
}

/** A file that extends its own name changes the built-in protocol of that name. */
async function findBase(child: Found, name: string, library: Library): Promise<Found | undefined> {
  const base = await library.find(name);
  const itself = base !== undefined && base.declaration.at.file === child.declaration.at.file;
  return itself && child.from === 'project' ? (library.builtin(name) ?? base) : base;
}

const MAX_SHOWN = 20;

function circle(seen: Map<string, string>, again: string, base: Found): string {
  const files = [...seen.keys()];
  const names = [...seen.values()].slice(files.indexOf(again));
  const few = names.length > MAX_SHOWN ? [...names.slice(0, MAX_SHOWN - 1), '…', names.at(-1)] : names;
  return `This protocol extends itself: ${[...few, base.declaration.name].join(' → ')}.`;
}

function withProblem(loaded: Chain, problem: Problem): Chain {
  return { ...loaded, problems: [...loaded.problems, problem] };
}
