import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { sh } from './repository.ts';

/** Everything that must not be lost, by git's object ids. */
export interface Inventory {
  files: Map<string, string>;
  staged: string[];
  commits: string[];
}

/** What is in a checkout: its files (ignored ones too), what is staged, and the commits that its HEAD ever was at. */
export function takeInventory(folder: string): Inventory {
  const files = fileContents(folder);
  // If a person committed a file with mixed line ends, git's version of it counts.
  for (const path of files.keys()) {
    if (path.endsWith('.crlf') && sh(folder, 'status', '--porcelain', '--', '*.crlf') === '')
      files.delete(path);
  }
  return {
    files,
    staged: lines(sh(folder, 'ls-files', '--stage'))
      .filter((line) => !line.startsWith('160000')) // a commit of a repository inside
      .map((line) => line.split(' ')[1] ?? ''),
    commits: lines(sh(folder, 'rev-list', '--walk-reflogs', '--ignore-missing', 'HEAD')),
  };
}

/** Where things can be found again. */
interface Found {
  objects: Set<string>;
  files: Set<string>;
  commits: Set<string>;
}

/**
 * Everything reachable from a branch or an index (for commits, also from a reflog), and all files below some
 * folders.
 */
export function findContents(repository: string, ...folders: string[]): Found {
  return {
    objects: new Set(
      lines(sh(repository, 'rev-list', '--objects', '--all', '--indexed-objects', '--no-object-names')),
    ),
    files: new Set(folders.flatMap((folder) => [...fileContents(folder).values()])),
    commits: new Set(lines(sh(repository, 'rev-list', '--all', '--reflog'))),
  };
}

/** The parts of an inventory that cannot be found any more. */
export function missing({ files, staged, commits }: Inventory, found: Found): string[] {
  return [
    ...[...files]
      .filter(([, id]) => !found.objects.has(id) && !found.files.has(id))
      .map(([path]) => `the file ${path}`),
    ...staged.filter((id) => !found.objects.has(id)).map((id) => `what is staged as ${id}`),
    ...commits.filter((id) => !found.commits.has(id)).map((id) => `the commit ${id}`),
  ];
}

function fileContents(folder: string): Map<string, string> {
  return new Map(existsSync(folder) ? contentsIn(Buffer.from(folder)) : []);
}

/** Names are bytes: they need not be UTF-8. */
function* contentsIn(folder: Buffer): Iterable<[path: string, id: string]> {
  for (const name of readdirSync(folder, { encoding: 'buffer' })) {
    if (name.equals(Buffer.from('.git'))) continue;
    const path = Buffer.concat([folder, Buffer.from('/'), name]);
    const stat = lstatSync(path);
    if (stat.isDirectory()) yield* contentsIn(path);
    else if (stat.isSymbolicLink())
      yield [path.toString('latin1'), blobId(readlinkSync(path, { encoding: 'buffer' }))];
    else yield [path.toString('latin1'), blobId(readFileSync(path))];
  }
}

function blobId(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

const lines = (text: string) => text.split('\n').filter(Boolean);
