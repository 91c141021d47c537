import type { Rule } from './issue.ts';
import { missingAgent } from './rules/agents.ts';
import { uncoveredCriterion } from './rules/criteria.ts';
import { circularDependency, dependencyAfter, missingDependency } from './rules/dependencies.ts';
import { notInFrontMatter } from './rules/front-matter.ts';
import { gateCannotFail, gateNotRunnable, missingGates } from './rules/gates.ts';
import { uncoveredIssue } from './rules/issues.ts';
import {
  duplicatePhaseId,
  masterNotFound,
  masterParseError,
  noPhases,
  unreadableMetadata,
  unreadableRow,
} from './rules/master.ts';
import { noNotesOutput, pathOutsidePlan } from './rules/paths.ts';
import {
  phaseNotFound,
  phaseParseError,
  statusDisagrees,
  tasklessPhase,
  unknownStatus,
} from './rules/phases.ts';
import { placeholderLeft } from './rules/placeholders.ts';

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
