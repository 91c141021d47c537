import * as z from 'zod';
import { limits } from '../../schema/limits.ts';
import type { Question } from '../../schema/question.ts';
import { check } from '../check.ts';
import { readForm } from './elicitation-form.ts';
import { type ElicitationForm, type FormStyle, writeForm } from './elicitation-writer.ts';

/** Which form it looks like: our own, or that of the ACP adapters of Claude and Codex. */
export type AcpStyle = 'fermata' | 'claude' | 'codex';

export interface AcpElicitation extends ElicitationForm {
  mode: 'form';
  sessionId: string;
  toolCallId?: string;
}

/** Our questions as the parameters of ACP's `elicitation/create`. */
export function toAcpElicitation(
  questions: readonly Question[],
  to: { sessionId: string; toolCallId?: string; message?: string; style?: AcpStyle },
): AcpElicitation {
  const { sessionId, toolCallId, message, style = 'fermata' } = to;
  const form = writeForm(questions, styles[style], message);
  return { mode: 'form', sessionId, ...(toolCallId === undefined ? {} : { toolCallId }), ...form };
}

/** The questions of an ACP form, with the session and the tool call that wait for the answer. */
export function fromAcpElicitation(
  params: unknown,
  at: string,
): { questions: Question[]; sessionId?: string; toolCallId?: string } {
  const { sessionId, toolCallId } = check(Scope, params, 'Elicitation');
  return {
    questions: readForm(params, at).map(({ question }) => question),
    ...(sessionId ? { sessionId } : {}),
    ...(toolCallId ? { toolCallId } : {}),
  };
}

const Scope = z.object({
  sessionId: z.string().max(limits.id).nullish(),
  toolCallId: z.string().max(limits.id).nullish(),
});

const styles: Record<AcpStyle, FormStyle> = {
  fermata: { names: 'id', otherSuffix: '_other', description: 'own', codex: false },
  claude: { names: 'number', otherSuffix: '_custom', description: 'own', codex: false },
  codex: { names: 'id', otherSuffix: '_note', description: 'own', codex: true },
};
