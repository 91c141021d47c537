import { createHash } from 'node:crypto';
import type { PhaseAtWork } from './phase-at-work.ts';
import type { PlanPlace } from './plan-place.ts';

/** What a phase asks for, as a short text: without what changes while it is worked on (status, ticks). */
export function fingerprintOf(
  { plan }: Pick<PlanPlace, 'plan'>,
  { phase }: Pick<PhaseAtWork, 'phase'>,
): string {
  const file = plan.files.get(phase.path);
  const text = file && 'text' in file ? file.text : '';
  const lasting = text
    .split(/\r\n|\r|\n/)
    .filter((line) => !/^\s*(?:\*\*)?status(?:\*\*)?\s*:/i.test(line))
    .map((line) => line.replace(/^(\s*[-*+]|\s*\d+[.)])\s+\[[ xX]\]/, '$1 [ ]').trimEnd())
    .join('\n');
  return createHash('sha256').update(lasting).digest('hex').slice(0, 16);
}
