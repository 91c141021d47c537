import type { GateKind } from './gate.ts';
import type { Notification, Source } from './notification.ts';

/** What kind of asker a notification comes from: the kind of human gate, or else its source. */
export type AskerKind = Source | `${GateKind}_gate`;

/** For people. */
export const askerWords: Record<AskerKind, string> = {
  execute: 'An agent asks',
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

/** The kind of asker in words. A person's own `fermata ask` comes from no agent. */
export function askerLabel(
  notification: Pick<Notification, 'source' | 'gate' | 'createdBy' | 'resume'>,
): string {
  const { source, createdBy, resume } = notification;
  if (resume?.session) return `Session of ${createdBy.actor.name}`;
  if (source === 'execute' && createdBy.actor.kind === 'person') return 'Question';
  return askerWords[askerKind(notification)];
}

/** The name that Fermata generates for an asker without one. */
const generatedName = /^(?:ask|mcp)-[0-9a-z]{10}$/;

/** What a notification is about and holds up, in words for people; undefined if its asker did not say. */
export function subjectOf({ source, sourceId, holds, gate, resume }: Notification): string | undefined {
  if (resume?.session) {
    const folder = resume.cwd?.split('/').findLast(Boolean) ?? '/';
    return resume.session.branch ? `${folder} (${resume.session.branch})` : folder;
  }
  if (gate) {
    const plan = `plan ${gate.plan}`;
    return gate.phase ? `phase ${[gate.phase, gate.variant].filter(Boolean).join(' ')} of ${plan}` : plan;
  }
  if (holds.task !== undefined) return `task ${holds.task}`;
  // `trust:plan:shop`: what it is, then its name.
  if (source === 'approval' && sourceId.startsWith('trust:')) return sourceId.slice(6).replace(':', ' ');
  if (generatedName.test(sourceId)) return undefined;
  switch (source) {
    case 'gap':
      return `the plan from the issues in ${sourceId}`;
    case 'plan':
      return `plan ${sourceId}`;
    case 'eval':
      return `feedback ${sourceId}`;
    case 'prd':
      return `section ${sourceId} of PRD.md`;
    default:
      return sourceId;
  }
}

/** "An agent asks · holds up task shop/2": where a notification comes from, in one line. */
export function askerLine(notification: Notification): string {
  const { status, createdBy, resume } = notification;
  if (resume?.session) return [askerLabel(notification), subjectOf(notification)].join(' · ');
  const kind = askerLabel(notification);
  const subject = subjectOf(notification);
  if (subject === undefined) return `${kind} · asked by ${createdBy.actor.name}`;
  return `${kind} · ${status === 'open' ? 'holds up ' : ''}${subject}`;
}
