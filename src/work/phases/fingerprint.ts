import { createHash } from 'node:crypto';
import type { PhaseTask } from './phase-task.ts';
import type { PlanContext } from './plan-context.ts';

/** A short text that identifies what a phase asks for, without what changes while it is worked on (status, ticks). */
export function fingerprintOf(
  { plan }: Pick<PlanContext, 'plan'>,
  { phase }: Pick<PhaseTask, 'phase'>,
): string {
  const file = plan.files.get(phase.path);
  const text = file && 'text' in file ? file.text : '';
  return createHash('sha256').update(lastingText(text)).digest('hex').slice(0, 16);
}

/** A phase's file without its status and with all boxes empty. */
export function lastingText(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .filter((line) => !/^\s*(?:\*\*)?status(?:\*\*)?\s*:/i.test(line))
    .map((line) => line.replace(/^(\s*[-*+]|\s*\d+[.)])\s+\[[ xX]\]/, '$1 [ ]').trimEnd())
    .join('\n');
}
