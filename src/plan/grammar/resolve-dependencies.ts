import { posix } from 'node:path';
import type { Master } from './master.ts';
import { idKey } from './phase-id.ts';
import type { Dependency, Phase, Problem, WrittenDependency } from './plan.ts';
import { planPath } from './plan-path.ts';

/** Resolves dependencies: by id, by the file that a link points to, or by title. */
export function resolveDependencies(phases: Phase[], master: Master): Problem[] {
  const find = finder(phases);
  // An unreadable row is already an error.
  const unreadable = new Set(master.problems.flatMap(({ rowId }) => rowId ?? []));
  const problems: Problem[] = [];
  for (const phase of phases) {
    if (!phase.file) continue;
    const folder = posix.dirname(phase.file.path);
    const seen = new Set<string>();
    for (const written of phase.file.dependencies) {
      const found = find(written, folder);
      if (!found && !written.sure) continue;
      const { text, span } = written;
      const dependency = { id: found?.id ?? written.id, known: found !== undefined, text, span };
      const key = dependency.id === null ? `?${text}` : idKey(dependency.id);
      if (seen.has(key)) continue;
      seen.add(key);
      phase.dependsOn.push(dependency);
      if (!found && !unreadable.has(key)) problems.push(missing(phase, dependency));
    }
  }
  return problems;
}

function finder(phases: Phase[]) {
  const byId = new Map<string, Phase>();
  const byPath = new Map<string, Phase>();
  const byTitle = new Map<string, Phase>();
  const keepFirst = (map: Map<string, Phase>, key: string, phase: Phase) => {
    if (!map.has(key)) map.set(key, phase);
  };
  for (const phase of phases) {
    keepFirst(byId, idKey(phase.id), phase);
    keepFirst(byPath, phase.path, phase);
    keepFirst(byTitle, phase.title.toLowerCase(), phase);
    keepFirst(byTitle, phase.row.title.toLowerCase(), phase);
  }
  return ({ id, path, text }: WrittenDependency, folder: string): Phase | undefined => {
    if (id !== null) return byId.get(idKey(id));
    const target = path === null ? undefined : planPath(path, folder);
    const linked = target && 'path' in target ? byPath.get(target.path) : undefined;
    return linked ?? byTitle.get(text.toLowerCase());
  };
}

function missing({ id, path }: Phase, dependency: Dependency): Problem {
  const what = dependency.id === null ? `"${dependency.text.slice(0, 100)}"` : `phase ${dependency.id}`;
  return {
    code: 'MISSING_DEPENDENCY',
    message: `Phase ${id} depends on ${what}, which is not in the plan.`,
    suggestion: 'Use a phase id from the table of phases, or write N/A.',
    file: path,
    span: dependency.span,
  };
}
