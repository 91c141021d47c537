import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Found, type Library, libraryOf } from './library.ts';
import { mergeProtocol } from './merge.ts';
import { errorAt, nameFault, type Problem } from './protocol.ts';
import { loadChain } from './resolve-protocol.ts';

export interface Lint {
  /** The files that were checked, by the names that the problems use. */
  files: string[];
  problems: Problem[];
}

/** Checks every protocol of a library, together with those that it extends. */
export async function lintLibrary(library: Library): Promise<Lint> {
  const found = await Promise.all(library.names().map((name) => library.find(name)));
  const there = found.filter((each) => each !== undefined);
  return {
    files: there.map(({ declaration }) => declaration.at.file),
    problems: distinct((await Promise.all(there.map((each) => lint(each, library)))).flat()),
  };
}

/** Checks single files; what they extend must be next to them or built in. */
export async function lintFiles(paths: string[]): Promise<Lint> {
  const problems = await Promise.all(paths.map(lintFile));
  return { files: paths, problems: distinct(problems.flat()) };
}

async function lintFile(path: string): Promise<Problem[]> {
  const at = { file: path, line: 1, column: 1 };
  const name = basename(path, '.yaml');
  const missing = () => [errorAt(at, 'File not found.')];
  if (!existsSync(path)) return missing();
  if (!path.endsWith('.yaml')) return [errorAt(at, 'A protocol file must end with ".yaml".')];
  const fault = nameFault(name);
  if (fault) return [errorAt(at, fault)];
  const folder = dirname(path);
  const library = libraryOf({ path: folder, shownAs: folder, within: folder });
  const found = await library.find(name);
  return found?.from === 'project' ? lint(found, library) : missing();
}

async function lint(found: Found, library: Library): Promise<Problem[]> {
  const { chain, problems } = await loadChain(found, library);
  if (problems.some(({ severity }) => severity === 'error')) return problems;
  const merged = mergeProtocol(chain);
  return [...problems, ...merged.problems, ...merged.lostReferences];
}

/** A problem in one file is found again through every file that extends it. */
function distinct(problems: Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()].sort(
    (a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column,
  );
}
