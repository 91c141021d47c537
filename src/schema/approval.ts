import type { Response } from './notification.ts';
import type { Option } from './question.ts';

const APPROVE: Option = { id: 'approve', label: 'Approve' };
const REJECT: Option = { id: 'reject', label: 'Reject' };
/** An option of an approval that allows more than was asked. */
const WIDER = 'Approve, and ';

/** The answer that approves this and, from now on, something more: "Approve, and allow `npm test *` for this session". */
export const widerApproval = (more: string) => `${WIDER}${more}`;

/**
 * The answers to an approval. Whatever the asker offers, they are Approve and Reject, then only options whose text says
 * that they approve, so that nobody says yes without reading it.
 */
export function approvalOptions(offered: readonly Option[] = []): Option[] {
  const wider = offered.filter(({ label }) => label.startsWith(WIDER)).map(({ label }) => label);
  return [APPROVE, REJECT, ...[...new Set(wider)].map((label) => ({ label }))];
}

/** Whether a response to an approval says yes, to what was asked or to more. */
export function isApproved(response: Response | undefined): boolean {
  if (response?.kind !== 'answered' || typeof response.answer !== 'string') return false;
  return response.answer === APPROVE.label || response.answer.startsWith(WIDER);
}
