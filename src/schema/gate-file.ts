import * as z from 'zod';
import type { GateKind } from './gate.ts';

/** People may type yes instead of true. */
const yes = { error: 'write true or false' };
const yesOr = (words: string) =>
  z.union(
    [z.boolean(), z.string().regex(new RegExp(`^(?:true|false|yes|no|on|off|y|n${words})$`, 'i'), yes)],
    yes,
  );
const yesOrNo = yesOr('');
const text = z.union([z.string(), z.number(), z.boolean(), z.null()], { error: 'write text' }).optional();

const Done = yesOrNo.optional().describe('Set it to true when you are ready, and save.');
const Thoughts = text.describe('Anything you want to add.');

const VariantDecision = z.strictObject({
  decision: z
    .union([z.enum(['main', 'alternative', 'discard']), z.null()], {
      error: 'write main, alternative or discard',
    })
    .optional()
    .describe('main: merge it; alternative: keep it without merging; discard: archive it.'),
  reason: text.describe('Why.'),
});

const ApproachReview = z.strictObject({
  changes: text.describe('What to change in this approach. Empty: accept it as it is.'),
  rejected: yesOrNo.optional().describe('true: reject this approach.'),
});

const approved = yesOr('|approved|changes').optional();

/** The files that answer human gates, by kind. */
export const gateFiles = {
  testing: z.strictObject({
    thoughts: Thoughts,
    passed: yesOr('|passed|changes')
      .optional()
      .describe('true: it works. Anything under refinements makes it false.'),
    refinements: text.describe('What to change.'),
    logs: text.describe('What the program printed.'),
    done: Done,
  }),
  variants: z
    .object({ thoughts: Thoughts, reason: text, done: Done })
    .catchall(z.union([VariantDecision, z.enum(['main', 'alternative', 'discard']), z.null()])),
  logging: z.strictObject({
    thoughts: Thoughts,
    logs: text.describe('What the program printed.'),
    done: Done,
  }),
  findings: z
    .object({ thoughts: Thoughts, approved, changes: text, done: Done })
    .catchall(z.union([ApproachReview, z.null()])),
  plan: z.strictObject({
    thoughts: Thoughts,
    approved: approved.describe('true: work may begin. Anything under changes makes it false.'),
    changes: text.describe('What to change in the plan.'),
    done: Done,
  }),
} satisfies Record<GateKind, z.ZodType>;

/** For a question that is not a gate of a plan: an answer for each of its ids. */
export const questionFile = z.object({ done: Done }).catchall(z.unknown());
