import type { Plan } from './plan.ts';

/** The issues that a plan covers: those that one of its phases names. */
export function namedIssues({ phases }: Pick<Plan, 'phases'>): Set<number> {
  return new Set(phases.flatMap(({ issues }) => issues));
}
