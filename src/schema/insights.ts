import * as z from 'zod';
import { AutonomyLevel, HilConfig } from './autonomy.ts';
import { NotificationKind } from './notification.ts';
import { Category } from './question.ts';

const count = z.int().nonnegative();
const seconds = z.number().nonnegative();

/** How long people took to answer, and how long tasks and agents stood still meanwhile. */
const Waited = z.object({
  /** How many questions a person answered. */
  answered: count,
  medianSeconds: seconds,
  /** 19 of 20 were answered within this time. */
  p95Seconds: seconds,
  /** Summed over tasks. The time in which several questions held the same task counts once. */
  idleSeconds: seconds,
});

const Share = z.object({ of: count, count });

/** A change of the autonomy level that the figures suggest. Only a person makes it. */
export const AutonomyProposal = z.object({
  projectId: z.string(),
  projectName: z.string(),
  category: Category,
  setting: HilConfig.keyof(),
  level: AutonomyLevel,
  /** What suggests it: recommendations that were taken, or assumptions that a person corrected. */
  because: z.enum(['recommendation_taken', 'assumption_corrected']),
  ...Share.shape,
});
export type AutonomyProposal = z.infer<typeof AutonomyProposal>;

/** What questions cost and what they were worth. */
export const Insights = z.object({
  since: z.string(),
  until: z.string(),
  /** Oldest first, without gaps. A week begins on Monday, in UTC. */
  weeks: z.array(
    Waited.extend({
      begins: z.string(),
      asked: z.array(z.object({ kind: NotificationKind, asker: z.string(), count })),
    }),
  ),
  total: Waited.extend({ asked: count, open: count }),
  /** Answers of people to questions that came with a recommendation, and how many took it. */
  recommendations: Share,
  /** Questions that were settled without a person's answer, and how many of these a person changed afterwards. */
  assumptions: Share,
  /** Repeated questions that a standing decision answered, and those that were asked with the earlier answer. */
  repeats: z.object({ answered: count, offered: count }),
  proposals: z.array(AutonomyProposal),
});
export type Insights = z.infer<typeof Insights>;
export type InsightWeek = Insights['weeks'][number];
export type AskedCount = InsightWeek['asked'][number];
