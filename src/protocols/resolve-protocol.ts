import { didYouMean } from '../config/near.ts';
import { FermataError } from '../schema/error.ts';
import { type Library, type ProjectFile, projectFiles, projectLibrary } from './library.ts';
import { loadChain } from './load-chain.ts';
import { mergeProtocol } from './merge.ts';
import { refuseErrors } from './problem.ts';
import type { Protocol } from './protocol.ts';
import { nameFault } from './protocol-name.ts';
import { listNames } from './shown.ts';

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
