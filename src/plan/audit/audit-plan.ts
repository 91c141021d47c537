import type { Plan } from '../grammar/plan.ts';
import type { Issue, Rule, Surroundings } from './rule.ts';
import { uncoveredCriterion } from './rules/criteria.ts';
import { circularDependency, dependencyAfter, missingDependency } from './rules/dependencies.ts';
import { gateCannotFail, gateNotRunnable, missingGates } from './rules/gates.ts';
import {
  duplicatePhaseId,
  masterNotFound,
  masterParseError,
  noPhases,
  uncoveredIssue,
  unreadableMetadata,
  unreadableRow,
} from './rules/master.ts';
import { noNotesOutput, pathOutsidePlan } from './rules/paths.ts';
import {
  missingAgent,
  notInFrontMatter,
  phaseNotFound,
  phaseParseError,
  statusDisagrees,
  tasklessPhase,
  unknownStatus,
} from './rules/phases.ts';
import { placeholderLeft } from './rules/placeholders.ts';

export interface Audit {
  passed: boolean;
  summary: { phases: number; gates: number; errors: number; warnings: number };
  issues: Issue[];
}

/** Checks a plan with all rules. Issues come in the order of the files. */
export function auditPlan(plan: Plan, surroundings: Surroundings = {}): Audit {
  const issues = rules.flatMap((rule) =>
    Array.from(rule.check(plan, surroundings), ({ message, suggestion, file, span }): Issue => {
      const { severity, code } = rule;
      return { severity, code, message, file, line: span.line, column: span.column, suggestion };
    }),
  );
  const errors = issues.filter(({ severity }) => severity === 'error').length;
  const gates = plan.phases.reduce((sum, { file }) => sum + (file?.gates.length ?? 0), 0);
  return {
    passed: errors === 0,
    summary: { phases: plan.phases.length, gates, errors, warnings: issues.length - errors },
    issues: inOrder(issues, plan),
  };
}

function inOrder(issues: Issue[], { master, phases }: Plan): Issue[] {
  const order = new Map<string, number>([[master, 0]]);
  for (const { path } of phases) if (!order.has(path)) order.set(path, order.size);
  const of = ({ file }: Issue) => order.get(file) ?? order.size;
  return issues.sort((a, b) => of(a) - of(b) || a.line - b.line || a.column - b.column);
}

/** Everything that an audit looks at. */
export const rules: readonly Rule[] = [
  masterNotFound,
  masterParseError,
  noPhases,
  unreadableRow,
  duplicatePhaseId,
  phaseNotFound,
  phaseParseError,
  pathOutsidePlan,
  missingGates,
  gateCannotFail,
  noNotesOutput,
  missingDependency,
  circularDependency,
  missingAgent,
  uncoveredIssue,
  placeholderLeft,
  gateNotRunnable,
  uncoveredCriterion,
  tasklessPhase,
  dependencyAfter,
  unknownStatus,
  statusDisagrees,
  unreadableMetadata,
  notInFrontMatter,
];
