import type { Criterion, PhaseFile, Plan } from '../../grammar/plan.ts';
import type { Finding, Rule } from '../rule.ts';
import { phaseFiles } from '../rule.ts';

export const uncoveredCriterion: Rule = {
  code: 'UNCOVERED_CRITERION',
  severity: 'warning',
  summary: 'no task or gate mentions the id of an acceptance criterion',
  *check(plan) {
    const open = Array.from(phaseFiles(plan), ({ file }) => ownOpen(file)).flat();
    if (open.length === 0 && plan.criteria.length === 0) return;
    const { everywhere, defined } = mentions(plan);
    for (const criterion of plan.criteria)
      if (criterion.id && !everywhere.has(criterion.id)) yield finding(criterion, plan.master);
    for (const { criterion, id, path } of open)
      if (defined.get(id) !== 1 || !everywhere.has(id)) yield finding(criterion, path);
  },
};

/** The criteria of a file that nothing in the same file names. */
function ownOpen({ path, criteria, tasks, gates }: PhaseFile) {
  if (criteria.length === 0) return [];
  const named = new Set<string>();
  for (const list of [tasks, gates]) for (const { covers } of list) for (const id of covers) named.add(id);
  return criteria.flatMap((criterion) => {
    const { id } = criterion;
    return id === null || named.has(id) ? [] : [{ criterion, id, path }];
  });
}

/**
 * All ids that tasks and gates mention, and how often each id is defined. An id that is defined once may be covered in
 * another file.
 */
function mentions(plan: Plan) {
  const everywhere = new Set<string>();
  const defined = new Map<string, number>();
  const count = (criteria: Criterion[]) => {
    for (const { id } of criteria) if (id) defined.set(id, (defined.get(id) ?? 0) + 1);
  };
  count(plan.criteria);
  for (const { file } of phaseFiles(plan)) {
    count(file.criteria);
    for (const { covers } of [...file.tasks, ...file.gates]) for (const id of covers) everywhere.add(id);
  }
  return { everywhere, defined };
}

function finding({ id, text, span }: Criterion, file: string): Finding {
  return {
    message: `Nothing covers ${id}: ${text.slice(0, 200)}`,
    suggestion: `Add it to the task or gate that proves it, for example: - [ ] … (${id})`,
    file,
    span,
  };
}
