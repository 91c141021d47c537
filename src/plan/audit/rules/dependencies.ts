import { idKey } from '../../grammar/phase-id.ts';
import type { Phase, Plan } from '../../grammar/plan.ts';
import { findCycles, type Graph, groupsWithCycles } from '../cycles.ts';
import type { Finding, Rule } from '../rule.ts';
import { reported } from '../rule.ts';

export const missingDependency = reported(
  'MISSING_DEPENDENCY',
  'error',
  'a phase depends on something that is not a phase of the plan',
);

export const circularDependency: Rule = {
  code: 'CIRCULAR_DEPENDENCY',
  severity: 'error',
  summary: 'phases depend on each other in a circle, or on themselves',
  *check(plan) {
    const { cycles, rest } = findCycles(graphOf(plan));
    const phase = (index = 0) => plan.phases[index] as Phase;
    for (const cycle of cycles) {
      const ids = cycle.map((index) => phase(index).id);
      const message =
        ids.length === 2 ? `Phase ${ids[0]} depends on itself.` : `Circular dependency: ${ids.join(' -> ')}`;
      yield circle(message, phase(cycle[0]), phase(cycle[1]));
    }
    for (const group of rest) {
      const ids = group.map((index) => phase(index).id).join(', ');
      yield circle(`Too many circular dependencies to list, among phases ${ids}.`, phase(group[0]));
    }
  },
};

function circle(message: string, from: Phase, to?: Phase): Finding {
  const dependency = to && from.dependsOn.find(({ id }) => id !== null && idKey(id) === idKey(to.id));
  return {
    message,
    suggestion: 'Remove one of these dependencies so that one phase can come first.',
    file: from.path,
    span: dependency?.span ?? from.file?.span ?? from.row.span,
  };
}

export const dependencyAfter: Rule = {
  code: 'DEPENDENCY_AFTER',
  severity: 'warning',
  summary: 'a phase depends on one that comes later in the table',
  *check(plan) {
    const positions = positionsOf(plan);
    const groups = groupsWithCycles(graphOf(plan));
    for (const [index, phase] of plan.phases.entries()) {
      for (const { id, known, span } of phase.dependsOn) {
        const target = known && id !== null ? positions.get(idKey(id)) : undefined;
        if (target === undefined || target <= index) continue;
        // A cycle has no valid order and is already an error.
        if (groups.has(index) && groups.get(index) === groups.get(target)) continue;
        yield {
          message: `Phase ${phase.id} depends on phase ${id}, which comes after it in the table.`,
          suggestion: `Put phase ${id} before phase ${phase.id}.`,
          file: phase.path,
          span,
        };
      }
    }
  },
};

function graphOf(plan: Plan): Graph {
  const positions = positionsOf(plan);
  return plan.phases.map(({ dependsOn }) =>
    dependsOn.flatMap(({ id, known }) => (known && id !== null ? (positions.get(idKey(id)) ?? []) : [])),
  );
}

/** If several phases have the same id, the first one counts. */
function positionsOf({ phases }: Plan): Map<string, number> {
  const positions = new Map<string, number>();
  phases.forEach(({ id }, index) => {
    if (!positions.has(idKey(id))) positions.set(idKey(id), index);
  });
  return positions;
}
