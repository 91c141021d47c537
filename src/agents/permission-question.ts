import { createHash } from 'node:crypto';
import { toolSummary } from './stream/tool-summary.ts';

/** More than this of a tool's input is not shown; what is left out is said. */
const SHOWN = 100_000;

/** How a person is asked whether an agent may use a tool. They see the whole input, or that they do not. */
export function permissionQuestion(tool: string, input: unknown): { text: string; context: string } {
  const summary = toolSummary(tool, input);
  const whole = JSON.stringify(input, null, 2) ?? '';
  const left = whole.length - SHOWN;
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, 16);
  const note = `\n… ${left} more characters are NOT shown (sha256 ${hash}). Approve only what you have seen.`;
  return {
    text: `May the agent use ${tool}?${summary === tool ? '' : ` ${summary}`}`,
    context: left > 0 ? whole.slice(0, SHOWN) + note : whole,
  };
}
