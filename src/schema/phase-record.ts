import * as z from 'zod';
import { By } from './actor.ts';
import { SeenContent } from './seen-content.ts';

/** How one gate command ended. */
export const GateRun = z.object({
  name: z.string(),
  command: z.string().nullable(),
  passed: z.boolean(),
  exit_code: z.number().nullable(),
  /** Why it did not pass. */
  problem: z.enum(['failed', 'killed', 'timed_out', 'interrupted', 'no_command']).optional(),
  seconds: z.number(),
  /** The beginning and the end of its output. */
  output: z.string(),
});
export type GateRun = z.infer<typeof GateRun>;

/** A step of a phase that nobody did, although its protocol or its file requires it. */
export const SkippedStep = z.object({ step: z.enum(['review', 'notes']), reason: z.string() });
export type SkippedStep = z.infer<typeof SkippedStep>;

const several = z.union([z.array(z.union([z.string(), z.record(z.string(), z.unknown())])), z.string()]);

/** What a reviewer says about the work. */
export const ReviewRecord = z.object({
  /** Who reviews whose work. */
  head: z.string().optional(),
  verdict: z.enum(['passed', 'changes']),
  thoughts: z.string().optional(),
  answered_questions: several.optional(),
  suggested_changes: several.optional(),
  /** What the reviewer saw. */
  content: SeenContent.optional(),
});
export type ReviewRecord = z.infer<typeof ReviewRecord>;

const written = {
  id: z.number().int(),
  taskId: z.string(),
  iteration: z.number().int(),
  /** For `started`: the branch of the work. */
  branch: z.string().nullable(),
  at: z.string(),
  by: By,
};

/** One entry in the log of a phase. Entries never change. */
export const PhaseRecord = z.discriminatedUnion('kind', [
  z.object({
    ...written,
    kind: z.literal('started'),
    data: z.object({
      specialist: z.string(),
      /** The plan's folder; a task without a plan has none. */
      plan: z.string().optional(),
      /** The title of the phase in the plan at that time. */
      fingerprint: z.string().optional(),
    }),
  }),
  z.object({
    ...written,
    kind: z.literal('implementation'),
    data: z.object({
      type: z.enum(['initial', 'review-refinement', 'testing-refinement']),
      walkthrough: z.string(),
      reason: z.string().nullable(),
    }),
  }),
  z.object({ ...written, kind: z.literal('review'), data: ReviewRecord }),
  /** A person lets the work be merged without a step. */
  z.object({ ...written, kind: z.literal('waived'), data: z.object({ step: z.string() }) }),
  z.object({
    ...written,
    kind: z.literal('gates'),
    data: z.object({
      cwd: z.string(),
      runs: z.array(GateRun),
      /** The commit that they ran on, if everything was committed. */
      commit: z.string().optional(),
      /** The run whose work they checked. */
      run: z.string().optional(),
    }),
  }),
  /** Written before the feature branch moves to the commit; only the branch shows whether it did. */
  z.object({
    ...written,
    kind: z.literal('merge'),
    data: z.object({
      commit: z.string(),
      /** What was merged. */
      tip: z.string(),
      /** The person who approved what the work changes. */
      approvedBy: By.optional(),
    }),
  }),
  /** Somebody wants more work on a phase or task that was done. */
  z.object({
    ...written,
    kind: z.literal('reopened'),
    /** The merges that were reverted with it. */
    data: z.object({ reverts: z.array(z.string()).optional() }),
  }),
  z.object({ ...written, kind: z.literal('failed'), data: z.object({ reason: z.string() }) }),
  z.object({ ...written, kind: z.literal('skipped'), data: z.object({ steps: z.array(SkippedStep) }) }),
]);
export type PhaseRecord = z.infer<typeof PhaseRecord>;

export const PhaseRecordKind = z.enum(PhaseRecord.options.map(({ shape }) => shape.kind.value));
export type PhaseRecordKind = PhaseRecord['kind'];

export type PhaseRecordOf<Kind extends PhaseRecordKind> = Extract<PhaseRecord, { kind: Kind }>;

export type NewPhaseRecord = Unwritten<PhaseRecord>;
/** A record of the current iteration. */
export type PhaseEntry = EntryOf<PhaseRecord>;
type EntryOf<Each> = Each extends PhaseRecord ? Pick<Each, 'kind' | 'data'> : never;

type Unwritten<Each> = Each extends PhaseRecord
  ? Pick<Each, 'kind' | 'iteration' | 'data'> & { branch?: string }
  : never;
