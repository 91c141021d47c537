import * as z from 'zod';
import { TaskProgress } from './plan-run.ts';

/** A plan folder of a project, in a list. */
export const PlanSummary = z.object({
  /** The folder's name below `plans/`. */
  name: z.string(),
  title: z.string(),
  phases: z.number().int(),
  completed: z.number().int(),
  /** `ledger`: the hub has no folder of the project, so this is what people approved or queued. */
  from: z.enum(['folder', 'ledger']),
});
export type PlanSummary = z.infer<typeof PlanSummary>;

const placed = { message: z.string(), file: z.string(), line: z.number(), column: z.number() };
const Problem = z.object({ code: z.string(), ...placed, suggestion: z.string() });

const PhaseView = z.object({
  id: z.string(),
  title: z.string(),
  path: z.string(),
  status: z.string(),
  /** The numbers of the issues that it covers. */
  issues: z.array(z.number()),
  depends_on: z.array(z.string()),
  gates: z.array(z.object({ name: z.string(), command: z.string().nullable(), line: z.number() })),
  tasks: z.array(
    z.object({ id: z.string().optional(), text: z.string(), done: z.boolean(), line: z.number() }),
  ),
  notes: z.object({ input: z.string().nullable(), output: z.string().nullable() }),
  agents: z.array(z.string()),
  criteria: z.array(z.object({ id: z.string().optional(), text: z.string(), line: z.number() })),
});

/** A plan as `fermata plan show` prints it, with what the audit finds and the texts of its files. */
export const PlanView = z.object({
  name: z.string(),
  title: z.string(),
  metadata: z.object({
    github_issues: z.array(z.number()),
    github_repo: z.string().nullable(),
    created: z.string().nullable(),
    jira_issues: z.array(z.string()),
  }),
  phases: z.array(PhaseView),
  problems: z.array(Problem),
  /** Null if the hub has no folder of the project: then this is what the ledger knows. */
  audit: z
    .object({
      passed: z.boolean(),
      summary: z.object({
        phases: z.number(),
        gates: z.number(),
        errors: z.number(),
        warnings: z.number(),
      }),
      issues: z.array(Problem.extend({ severity: z.enum(['error', 'warning']) })),
    })
    .nullable(),
  /** By path below the plan's folder. */
  files: z.record(z.string(), z.string()),
  work: TaskProgress,
});
export type PlanView = z.infer<typeof PlanView>;
export type PlanFiles = Omit<PlanView, 'work'>;
