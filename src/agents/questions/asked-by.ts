import { isRecord } from '../../ledger/forms/record.ts';
import { limits } from '../../schema/limits.ts';

const MAX_NAME_LENGTH = 500;

/** Questions with the asker's name in front of the text that a person reads. */
export function askedBy(questions: unknown[], kind: 'sub-agent' | 'MCP server', name: string): unknown[] {
  const who = `Asked by ${kind === 'sub-agent' ? 'a' : 'an'} ${kind}: ${name.slice(0, MAX_NAME_LENGTH)}`;
  return questions.map((question) => {
    if (!isRecord(question)) return { text: question, context: who };
    const { context } = question;
    const whole = typeof context === 'string' && context !== '' ? `${who}\n\n${context}` : who;
    return { ...question, context: whole.slice(0, limits.context) };
  });
}
