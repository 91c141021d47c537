import { isDeepStrictEqual } from 'node:util';
import { contentHash } from '../../ledger/access/trust-register.ts';
import { isApproved } from '../../schema/approval.ts';
import { limits } from '../../schema/limits.ts';
import { lineDiff } from '../../schema/line-diff.ts';
import type { Notification } from '../../schema/notification.ts';
import type { JudgedContent } from './repository-content.ts';

/** The asker of a trust question, which finds everything ever asked about one name. */
export const trustAsker = (name: string) => `trust:${name}`.slice(0, limits.id);

/** The question whether to trust a content. It shows the content itself, or the change since it was trusted. */
export function trustQuestion({ shownAs, effect, content, before }: JudgedContent) {
  const hash = contentHash(content).slice(0, 16);
  const [what, label, text] =
    before === undefined
      ? [`Trust ${shownAs}`, shownAs, content]
      : [`Trust the changed ${shownAs}`, `Changes in ${shownAs}`, lineDiff(before, content).join('\n')];
  return {
    id: 'trust',
    text: `${what}? ${effect}`,
    verbatim: [{ label: `${label.slice(0, limits.header - 26)} (sha256 ${hash})`, text }],
  };
}

export type TrustAnswer =
  | { kind: 'approved'; notification: Notification }
  | { kind: 'rejected'; notification: Notification }
  | { kind: 'open'; notification: Notification };

/**
 * The answer to exactly this question, with exactly what was shown; an approval of anything else, or in other words, does
 * not count. An approval counts once, so that what is revoked later stays revoked.
 */
export function trustAnswer(judged: JudgedContent, asked: readonly Notification[]): TrustAnswer | undefined {
  const { text, verbatim } = trustQuestion(judged);
  const notification = asked.findLast(
    ({ questions: [question, ...more] }) =>
      more.length === 0 && question?.text === text && isDeepStrictEqual(question.verbatim, verbatim),
  );
  if (notification?.status === 'open') return { kind: 'open', notification };
  const [response] = notification?.responses ?? [];
  if (notification?.status !== 'answered' || response?.kind !== 'answered') return undefined;
  if (response.by.actor.kind !== 'person') return undefined;
  return { kind: isApproved(response) ? 'approved' : 'rejected', notification };
}
