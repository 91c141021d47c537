import type { GateKind } from './gate.ts';
import type { Notification, Source } from './notification.ts';

/** What kind of asker a notification comes from: a human gate of some kind, else its source. */
export type AskerKind = Source | `${GateKind}_gate`;

/** For people. */
export const askerWords: Record<AskerKind, string> = {
  execute: 'Agent at work',
  approval: 'Approval',
  testing_gate: 'Testing gate',
  variants_gate: 'Variants gate',
  logging_gate: 'Debug logs',
  findings_gate: 'Findings review',
  plan_gate: 'Plan review',
  gate: 'Gate',
  gap: 'Gap in an issue',
  plan: 'Planning',
  eval: 'Feedback',
  prd: 'Requirements',
};

export const askerKinds = Object.keys(askerWords) as [AskerKind, ...AskerKind[]];

export const askerKind = ({ source, gate }: Pick<Notification, 'source' | 'gate'>): AskerKind =>
  gate ? `${gate.kind}_gate` : source;
