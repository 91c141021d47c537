import type { Stack } from '../../repository/stack.ts';
import type { OpenChoice } from '../find/open-choice.ts';
import type { Evidence, EvidenceKind, IssueKind } from '../gap.ts';
import type { IssueText } from '../issue-text.ts';

/** Everything that is known about one issue when its gaps are judged. */
export interface Case {
  text: IssueText;
  kind: IssueKind;
  evidence: Evidence[];
  choices: OpenChoice[];
  stack: Stack | undefined;
  /** The body contains only placeholders. */
  bare: boolean;
}

/** How much evidence of each kind is worth: one piece, and all pieces together at most. */
export type Worth = Partial<Record<EvidenceKind, [each: number, most?: number]>>;

/** The total worth of the evidence, capped per kind, so that many weak signs do not become a strong one. */
export function weigh(evidence: Evidence[], worth: Worth): number {
  const sums = new Map<EvidenceKind, number>();
  for (const { kind, weight, in: where } of evidence) {
    const [each, most = each] = worth[kind] ?? [0];
    const later = where === 'comment' ? 0.7 : 1;
    sums.set(kind, Math.min(most, (sums.get(kind) ?? 0) + each * weight * later));
  }
  return Math.round([...sums.values()].reduce((sum, value) => sum + value, 0) * 100) / 100;
}

/** The strongest pieces, for display. */
export function strongest(evidence: Evidence[], worth: Worth, count = 4): Evidence[] {
  const value = (each: Evidence) => (worth[each.kind]?.[0] ?? 0) * each.weight;
  return evidence
    .filter((each) => value(each) > 0)
    .sort((a, b) => value(b) - value(a))
    .slice(0, count);
}
