import type { Decision } from '../../schema/decision.ts';

/** More would push the request away. */
const MOST = 100;

/** What was decided, a line each, as a part of a prompt. Approvals and gates are about one moment, and decide nothing later. */
export function decisionLines(decisions: readonly Decision[]): string {
  const lines = decisions
    .filter(({ source }) => source !== 'approval' && source !== 'gate')
    .slice(0, MOST)
    .map(({ question, answer, note }) => {
      const said = Array.isArray(answer) ? answer.join(', ') : answer;
      return `- ${oneLine(question)} → ${oneLine(said)}${note ? ` (${oneLine(note)})` : ''}`;
    });
  return lines.length === 0 ? 'Nothing.' : lines.join('\n');
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 500);
