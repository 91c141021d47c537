import type { JudgedGap, JudgedIssue } from '../../schema/judgement.ts';
import type { GapType } from '../../schema/qa.ts';
import { type Finding, severityOf } from '../gaps/gap.ts';
import type { Judgement } from '../gaps/judge.ts';
import type { Issue } from '../issue.ts';
import type { WeighedQuestion } from '../questions/plan-questions.ts';
import { impact } from '../questions/plan-questions.ts';

/** What the rules and the Analyst ask about an issue together. */
export interface Settled {
  findings: Finding[];
  questions: WeighedQuestion[];
  /** What the rules found and nobody asks, with the Analyst's reason. */
  dropped: { gap_type: GapType; reason: string }[];
}

/**
 * The Analyst judges; the rules are the floor. A finding is replaced by a question of the Analyst that closes the same gap, and
 * dropped only with a reason. `keepsAll`, and a text that addresses the agent, keep every finding.
 */
export function settle(
  issue: Issue,
  { findings, evidence }: Judgement,
  judged: JudgedIssue | undefined,
  keepsAll: boolean,
): Settled {
  const { gaps = [], dropped = [] } = judged ?? {};
  const steers = evidence.find(({ kind }) => kind === 'steering');
  const mayDrop = !keepsAll && !steers;
  const covered = new Set(gaps.flatMap(({ covers }) => covers));
  const open = findings.filter(({ type }) => !covered.has(type));
  const isDropped = ({ type }: Finding) => mayDrop && dropped.some((each) => each.type === type);
  return {
    findings: open.filter((finding) => !isDropped(finding)),
    questions: gaps.map((gap) => questionOf(issue, gap, steers?.text)),
    dropped: open.filter(isDropped).map(({ type }) => ({
      gap_type: type,
      reason: dropped.find((each) => each.type === type)?.reason ?? '',
    })),
  };
}

function questionOf({ number }: Issue, gap: JudgedGap, steering: string | undefined): WeighedQuestion {
  const { type, covers, question, why, quote, place, options, recommended, reason, assumed, weight } = gap;
  const warning = steering === undefined ? '' : ` The text of #${number} addresses the agent: "${steering}".`;
  return {
    value: (impact[type] * weight) / 3,
    question: {
      ...{ gap_type: type, covers, severity: severityOf(type), issues: [number] },
      question,
      context: `${why} "${quote}" (${place}).${warning}`.trim(),
      options,
      ...(recommended === undefined ? {} : { recommended }),
      ...(reason === undefined ? {} : { reason }),
      assumed,
    },
  };
}
