import { posix } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { findCycles } from '../../src/plan/audit/cycles.ts';

/**
 * From the bottom layer up: a folder may import from itself and from earlier lines, but not from others on its
 * own line.
 */
export const TIERS = [
  ['schema'],
  ['files', 'telemetry', 'text'],
  ['ledger', 'config'],
  ['channels'],
  ['agents'],
  ['issues', 'protocols', 'knowledge', 'git', 'testing'],
  ['plan'],
  ['work'],
  ['mcp', 'sessions'],
  ['hub'],
  ['cli'],
];

export interface SourceFile {
  /** Relative to src, with forward slashes. */
  path: string;
  text: string;
}

/** Imports in the wrong direction, each as `file:line sentence`. */
export function importProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    if (!file.path.includes('/')) return []; // the entries of the library
    return importsOf(file).flatMap(({ line, specifier }) => {
      const problem = judge(file.path, specifier);
      return problem === undefined ? [] : [`src/${file.path}:${line} ${problem}`];
    });
  });
}

/** Files that import each other in a circle, each as `a → b → a`; types and dynamic imports count. */
export function importCycles(files: readonly SourceFile[]): string[] {
  const numbers = new Map(files.map(({ path }, index) => [path, index]));
  const graph = files.map((file) =>
    importsOf(file).flatMap(({ specifier }) => {
      const target = numbers.get(posix.join(posix.dirname(file.path), specifier));
      return target === undefined ? [] : [target];
    }),
  );
  const { cycles, rest } = findCycles(graph);
  return [...cycles, ...rest].map((group) => group.map((index) => files[index]?.path).join(' → '));
}

function judge(path: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const target = posix.join(posix.dirname(path), specifier);
  if (target === '../package.json') return undefined;
  if (target.startsWith('..'))
    return `imports ${specifier}, which is not in src: move what it needs into src.`;
  const [from, to] = [folderOf(path), folderOf(target)];
  if (from === to) return undefined;
  for (const folder of [from, to]) {
    if (tierOf(folder) < 0)
      return `src/${folder} has no place in the order: give it one in test/house/import-direction.ts.`;
  }
  if (tierOf(to) < tierOf(from)) return undefined;
  return `${from} must not import ${to} (${specifier}): move what both need further down, or pass it in as an argument.`;
}

function folderOf(path: string): string {
  return path.split('/')[0] ?? path;
}

function tierOf(folder: string): number {
  return TIERS.findIndex((tier) => tier.includes(folder));
}

function importsOf({ path, text }: SourceFile): { line: number; specifier: string }[] {
  const { module } = parseSync(path, text, { lang: 'ts' });
  const requests = [
    ...module.staticImports.map((statement) => statement.moduleRequest),
    ...module.staticExports.flatMap((statement) => statement.entries.map((entry) => entry.moduleRequest)),
  ].filter((request) => request !== null && request !== undefined);
  // `import(…)` as an expression and as a type: the parser lists only the former.
  const calls = [...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)];
  const found = [
    ...requests.map(({ value, start }) => ({ specifier: value, start })),
    ...calls.map((call) => ({ specifier: call[1] ?? '', start: call.index })),
  ];
  return found.map(({ specifier, start }) => ({ specifier, line: text.slice(0, start).split('\n').length }));
}
