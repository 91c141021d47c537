import * as z from 'zod';
import { By } from './actor.ts';
import { HumanGate } from './gate.ts';
import { limits } from './limits.ts';
import { Answer, Question } from './question.ts';

export const Source = z.enum(['eval', 'prd', 'plan', 'execute', 'gap', 'gate', 'approval']);
export type Source = z.infer<typeof Source>;

/** How a notification ended. It becomes its status, and stays readable after `delivered`. */
export const Outcome = z.enum(['answered', 'skipped', 'declined', 'expired', 'superseded', 'withdrawn']);
export type Outcome = z.infer<typeof Outcome>;

export const Status = z.enum(['open', ...Outcome.options, 'delivered', 'recorded']);
export type Status = z.infer<typeof Status>;

const seconds = z
  .number()
  .positive()
  .max(10 * 365 * 86400);

/** What silence leads to. `wait` is the default; an answer is never invented without one of the others. */
export const Policy = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('wait') }),
  z.strictObject({ kind: z.literal('remind'), after: seconds }),
  z.strictObject({ kind: z.literal('default'), after: seconds, answers: z.record(z.string(), Answer) }),
  z.strictObject({ kind: z.literal('skip'), after: seconds }),
  z.strictObject({ kind: z.literal('fail'), after: seconds }),
]);
export type Policy = z.infer<typeof Policy>;

/** Everything another process needs to bring the answer to the one that asked. */
export const ResumeRecipe = z.strictObject({
  agent: z.string().max(limits.id),
  sessionId: z.string().max(limits.id).optional(),
  toolCallId: z.string().max(limits.id).optional(),
  cwd: z.string().max(4096).optional(),
  task: z.string().max(limits.id).optional(),
  step: z.string().max(limits.id).optional(),
  /** The run that asked, in the ledger. */
  run: z.string().max(limits.id).optional(),
});
export type ResumeRecipe = z.infer<typeof ResumeRecipe>;

const given = { questionId: z.string(), by: By, at: z.string() };

/** One question's end. The first one stored wins. */
export const Response = z.discriminatedUnion('kind', [
  z.object({
    ...given,
    kind: z.literal('answered'),
    answer: Answer,
    note: z.string().optional(),
    standing: z.literal(true).optional(),
  }),
  z.object({ ...given, kind: z.literal('skipped') }),
  z.object({ ...given, kind: z.literal('dismissed'), reason: z.string() }),
]);
export type Response = z.infer<typeof Response>;

export const Notification = z.object({
  id: z.string(),
  projectId: z.string(),
  source: Source,
  sourceId: z.string(),
  status: Status,
  outcome: Outcome.optional(),
  questions: z.array(Question),
  responses: z.array(Response),
  policy: Policy,
  deadlineAt: z.string().optional(),
  resume: ResumeRecipe.optional(),
  /** Set where it is a human gate of a plan. */
  gate: HumanGate.optional(),
  createdAt: z.string(),
  createdBy: By,
  resolvedAt: z.string().optional(),
  resolvedBy: By.optional(),
  reason: z.string().optional(),
  supersededBy: z.string().optional(),
  deliveredAt: z.string().optional(),
});
export type Notification = z.infer<typeof Notification>;

/** Why somebody ended something without an answer. */
export const Reason = z.string().trim().min(1).max(limits.reason);

/** Belongs to another form of the answer. What belongs to none is left out without a word. */
const not = z.null().optional();

export const ResponseInput = z.union(
  [
    z
      .object({
        questionId: z.string(),
        answer: Answer,
        note: z.string().max(limits.note).nullish(),
        standing: z
          .boolean()
          .nullish()
          .describe(
            'From now on the same question is answered like this by itself, on record, until that is revoked.',
          ),
        skipped: not,
        dismissed: not,
      })
      .transform(({ questionId, answer, note, standing }) => ({
        questionId,
        answer,
        ...(note ? { note } : {}),
        ...(standing ? { standing: true as const } : {}),
      })),
    z
      .object({ questionId: z.string(), skipped: z.literal(true), answer: not, dismissed: not })
      .transform(({ questionId, skipped }) => ({ questionId, skipped })),
    z
      .object({
        questionId: z.string(),
        dismissed: z.literal(true),
        reason: Reason,
        answer: not,
        skipped: not,
      })
      .transform(({ questionId, dismissed, reason }) => ({ questionId, dismissed, reason })),
  ],
  {
    error:
      'it has to be {"questionId":"q1","answer":"…"}, or "skipped":true, or "dismissed":true with a "reason", in place of the answer',
  },
);
export type ResponseInput = z.infer<typeof ResponseInput>;

/** The body of an answer, the same on every channel. */
export const ResolveInput = z.union(
  [
    z
      .object({
        responses: z.array(ResponseInput).min(1).max(limits.questions),
        approved: not,
        dismissed: not,
      })
      .transform(({ responses }) => ({ responses })),
    z
      .object({
        approved: z.boolean(),
        comment: z.string().max(limits.note).nullish(),
        responses: not,
        dismissed: not,
      })
      .transform(({ approved, comment }) => ({ approved, ...(comment ? { comment } : {}) })),
    z
      .object({ dismissed: z.literal(true), reason: Reason, responses: not, approved: not })
      .transform(({ dismissed, reason }) => ({ dismissed, reason })),
  ],
  {
    error:
      'it has to be {"responses":[{"questionId":"q1","answer":"…"}]}, {"approved":true} or {"dismissed":true,"reason":"…"}',
  },
);
export type ResolveInput = z.infer<typeof ResolveInput>;

export const CreateInput = z.strictObject({
  projectId: z.string(),
  source: Source,
  sourceId: z.string().min(1).max(limits.id),
  questions: z.array(z.unknown()).max(limits.questions),
  policy: Policy.optional(),
  resume: ResumeRecipe.optional(),
  /** A human gate: the same asker has one of each kind and round, and gets its answer as often as it asks. */
  gate: HumanGate.optional(),
  /** A notice: it tells, and needs no answer. */
  notice: z.boolean().optional(),
  /** The number of the claim under which the asker works; an old one is refused. */
  fence: z.number().int().optional(),
  /** The asker's process is alive and waits: the task is kept for it while it renews its lease. */
  keep: z.boolean().optional(),
  /** The asker may have died while it waited: what it asked before and never got the answer to is taken up. */
  takeUp: z.boolean().optional(),
});
export type CreateInput = z.infer<typeof CreateInput>;
