import { isApproved, widerApproval } from '../../schema/approval.ts';
import { FermataError } from '../../schema/error.ts';
import { limits } from '../../schema/limits.ts';
import type { Notification, Response } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';
import type { PermissionAsk } from '../driver.ts';
import { ELICITATION } from './elicitation.ts';
import { inputPieces } from './input-pieces.ts';

/** Agents may bring tools with any name; only a plain name can be a word in a sentence. */
const PLAIN_NAME = /^[\w.:-]{1,80}$/;
/** Room for everything around the input. */
const MARGIN = 64 * 1024;

/**
 * How a person is asked whether an agent may use a tool. What it would do is shown verbatim and complete, then why it
 * asks. An input that is too large for that is refused, because nobody can approve what they have not seen.
 */
export function permissionQuestion({
  tool,
  input,
  reason,
  asker,
  suggestions = [],
}: Omit<PermissionAsk, 'id'>): Pick<Question, 'text' | 'verbatim' | 'options'> {
  const isPlain = PLAIN_NAME.test(tool);
  const verbatim = [
    ...inputPieces(tool, input),
    ...(isPlain ? [] : [{ label: 'tool', text: tool }]),
    ...(reason === undefined ? [] : [{ label: 'reason', text: reason }]),
    ...(asker === undefined ? [] : [{ label: 'sub-agent', text: asker }]),
  ];
  const bytes = Buffer.byteLength(JSON.stringify(verbatim));
  const most = limits.notificationBytes - MARGIN;
  if (bytes > most) {
    throw new FermataError(
      'invalid',
      `Refused: the input has ${bytes} bytes, and Fermata can show a person at most ${most}. Split it into smaller steps.`,
    );
  }
  const options = suggestions.map(({ effect }) => ({ label: widerApproval(effect) }));
  return { text: questionText(tool, isPlain), verbatim, ...(options.length > 0 ? { options } : {}) };
}

function questionText(tool: string, isPlain: boolean): string {
  if (tool === 'ExitPlanMode') return 'May the agent carry out this plan?';
  if (tool === ELICITATION) return 'Do you consent to this?';
  return `May the agent use ${isPlain ? tool : 'this tool'}?`;
}

/** The suggestion that a person accepted with their yes. */
export function suggestionTaken(
  { suggestions = [] }: PermissionAsk,
  response: Response | undefined,
): string | undefined {
  if (response?.kind !== 'answered' || !isApproved(response)) return undefined;
  return suggestions.find(({ effect }) => widerApproval(effect) === response.answer)?.id;
}

/** What an agent gets if a person says no without a note. */
export const REFUSED = 'The person refused it.';

/** A person's note on their decision, or the reason why there is no decision. */
export function noteOf({ responses: [response], reason }: Notification): string | undefined {
  return response?.kind === 'answered' ? response.note : reason;
}
