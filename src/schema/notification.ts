import * as z from 'zod';
import { By } from './actor.ts';
import { HumanGate } from './gate.ts';
import { limits } from './limits.ts';
import { Answer, Question } from './question.ts';

export const Source = z.enum(['eval', 'prd', 'plan', 'execute', 'gap', 'gate', 'approval']);
export type Source = z.infer<typeof Source>;

/** What a person is asked for: words, a yes to finished work, a yes to a waiting agent, a decision at a gate, nothing. */
export const NotificationKind = z.enum(['question', 'approval', 'permission', 'gate', 'notice']);
export type NotificationKind = z.infer<typeof NotificationKind>;

/** What cannot continue without the answer: a task, and the run whose agent asked. */
export const Holds = z.object({ task: z.string().optional(), run: z.string().optional() });
export type Holds = z.infer<typeof Holds>;

/** How a notification ended. It becomes the status, and stays readable after `delivered`. */
export const Outcome = z.enum(['answered', 'skipped', 'declined', 'expired', 'superseded', 'withdrawn']);
export type Outcome = z.infer<typeof Outcome>;

export const Status = z.enum(['open', ...Outcome.options, 'delivered', 'recorded']);
export type Status = z.infer<typeof Status>;

const seconds = z
  .number()
  .positive()
  .max(10 * 365 * 86400);

/** Settles a question that nobody has answered for `after` seconds. */
export const EndingPolicy = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('default'), after: seconds, answers: z.record(z.string(), Answer) }),
  z.strictObject({ kind: z.literal('skip'), after: seconds }),
  z.strictObject({ kind: z.literal('fail'), after: seconds }),
]);
export type EndingPolicy = z.infer<typeof EndingPolicy>;

/** What happens if nobody answers. `wait`, the default, never invents an answer. */
export const Policy = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('wait') }),
  z.strictObject({ kind: z.literal('remind'), after: seconds }),
  ...EndingPolicy.options,
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
  /** The call that started the sub-agent that asks; absent if the agent itself asks. */
  subAgent: z.string().max(limits.id).optional(),
  /** The form of an MCP server: the answer goes to the server, and the model never gets it. */
  elicitation: z.literal(true).optional(),
  /** Set if a session asks that a person started themselves; it shows the same question in a dialog of its own. */
  session: z
    .strictObject({
      /** Whether somebody sits in front of the dialog. */
      attended: z.boolean(),
      branch: z.string().max(limits.id).optional(),
      /** When the dialog was lost; the answer reaches the session when it continues. */
      lostAt: z.string().optional(),
    })
    .optional(),
});
export type ResumeRecipe = z.infer<typeof ResumeRecipe>;

const given = {
  questionId: z.string(),
  by: By,
  at: z.string(),
  /** From 2 on: a person amended the previous version, which is in `replaced`. */
  version: z.number().int().optional(),
};

/** How one question ended. The first stored response wins, until a person amends it. */
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
  kind: NotificationKind,
  holds: Holds,
  status: Status,
  outcome: Outcome.optional(),
  questions: z.array(Question),
  responses: z.array(Response),
  /** Responses that a person has amended since, oldest first. */
  replaced: z.array(Response).optional(),
  policy: Policy,
  deadlineAt: z.string().optional(),
  /** What the agent that asked proposes in case nobody answers. It takes effect once a person accepts it. */
  proposal: EndingPolicy.optional(),
  /** The agent already had many open questions, so this one comes after the questions of others. */
  overflow: z.literal(true).optional(),
  resume: ResumeRecipe.optional(),
  /** Set for a human gate of a plan. */
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

/** A key of another form of the answer, which must not be set. Unknown keys are ignored. */
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
            'From now on, Fermata gives this answer whenever the same question comes up, and records it, until you revoke it.',
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
      'it must be {"questionId":"q1","answer":"…"}, or "skipped":true, or "dismissed":true with a "reason", in place of the answer',
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
      'it must be {"responses":[{"questionId":"q1","answer":"…"}]}, {"approved":true} or {"dismissed":true,"reason":"…"}',
  },
);
export type ResolveInput = z.infer<typeof ResolveInput>;

/** The body of an amendment: the answer that replaces the earlier one. */
export const AmendInput = z.union(
  [
    z.strictObject({
      responses: z
        .array(
          z.strictObject({
            questionId: z.string(),
            answer: Answer,
            note: z.string().max(limits.note).optional(),
          }),
        )
        .min(1)
        .max(limits.questions),
    }),
    z.strictObject({ approved: z.boolean(), comment: z.string().max(limits.note).optional() }),
  ],
  { error: 'it must be {"responses":[{"questionId":"q1","answer":"…"}]} or {"approved":true}' },
);
export type AmendInput = z.infer<typeof AmendInput>;

export const CreateInput = z.strictObject({
  projectId: z.string(),
  source: Source,
  sourceId: z.string().min(1).max(limits.id),
  questions: z.array(z.unknown()).max(limits.questions),
  policy: Policy.optional(),
  resume: ResumeRecipe.optional(),
  /** The run whose agent asks, if a command of the agent waits for the answer instead of the run. */
  run: z.string().min(1).max(limits.id).optional(),
  /** A human gate: each asker has one of each kind and round, and gets its answer as often as it asks. */
  gate: HumanGate.optional(),
  /** A notice: it only informs, and needs no answer. */
  notice: z.boolean().optional(),
  /** The number of the asker's claim; an old one is refused. */
  fence: z.number().int().optional(),
  /** The asker's process is alive and waits, so the task is kept for it while it renews its lease. */
  keep: z.boolean().optional(),
  /** The asker may have died while it waited. If it asked the same before and never got the answer, that notification is reused. */
  takeUp: z.boolean().optional(),
  /** The asker's own name for the question. Asking again with it returns the recorded answer, even after delivery. */
  key: z.string().min(1).max(limits.id).optional(),
  /** Asks a person again, whatever was answered before. */
  again: z.boolean().optional(),
  /** Which life of the agent asks. A restarted agent gets the answers that an earlier life received. */
  life: z.string().min(1).max(limits.id).optional(),
});
export type CreateInput = z.infer<typeof CreateInput>;
