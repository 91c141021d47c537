import * as z from 'zod';
import type { Phase, PhaseFile, Plan, ProblemCode, TextSpan } from '../grammar/plan.ts';

const Severity = z.enum(['error', 'warning']);
type Severity = z.infer<typeof Severity>;

/** What an audit found, in its public format. */
export const Issue = z.object({
  severity: Severity,
  code: z.string(),
  message: z.string(),
  /** Relative to the plan's folder. */
  file: z.string(),
  line: z.number(),
  column: z.number(),
  suggestion: z.string(),
});
export type Issue = z.infer<typeof Issue>;

/** What a rule found: the place, and a sentence about it. */
export interface Finding {
  message: string;
  suggestion: string;
  file: string;
  span: TextSpan;
}

/** One check. Its code never changes, because people filter by it. */
export interface Rule {
  code: string;
  severity: Severity;
  /** What it finds, for the documentation. */
  summary: string;
  check(plan: Plan, surroundings: Surroundings): Iterable<Finding>;
}

/** Each phase file once, with its first phase. */
export function* phaseFiles({ phases }: Plan): Generator<{ phase: Phase; file: PhaseFile }> {
  const seen = new Set<PhaseFile>();
  for (const phase of phases) {
    if (!phase.file || seen.has(phase.file)) continue;
    seen.add(phase.file);
    yield { phase, file: phase.file };
  }
}

/** Facts about where a plan will run. A missing field is unknown, and no rule reports on it. */
export interface Surroundings {
  /** Programs that can be started, as a command would name them: `npm`, `./check.sh`. */
  programs?: ReadonlySet<string>;
  /** The scripts of the package's manifest. */
  scripts?: ReadonlySet<string>;
  /** The names of the defined agents, in lower case. */
  agents?: ReadonlySet<string>;
}

/** A rule for problems that were already found while reading the plan. */
export function reported(code: ProblemCode, severity: Severity, summary: string): Rule {
  return {
    code,
    severity,
    summary,
    check: ({ problems }) => problems.filter((problem) => problem.code === code),
  };
}
