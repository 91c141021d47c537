import type { GateKind } from '../../schema/gate.ts';
import type { Notification } from '../../schema/notification.ts';
import type { PhaseRecord } from '../../schema/phase-record.ts';
import { requiresManualTesting } from '../phases/front-matter.ts';
import { type PhaseAtWork, taskIdOf } from '../phases/phase-at-work.ts';
import type { PlanPlace } from '../phases/plan-place.ts';
import { answerTo, solutionOf } from './gate-result.ts';

/** Which time a gate is asked in a phase: the number of the last implementation on record. */
export function roundOf(records: PhaseRecord[]): number {
  return Math.max(
    0,
    ...records.filter(({ kind }) => kind === 'implementation').map(({ iteration }) => iteration),
  );
}

/** Everything that people were asked in a phase; about its variants they are asked once for all of them. */
export async function gatesOf(
  { ledger, projectId, name }: PlanPlace,
  at: PhaseAtWork,
): Promise<Notification[]> {
  const askers = new Set([at.taskId, taskIdOf(name, at.number, null)]);
  const asked = await Promise.all(
    [...askers].map((asker) => ledger.notifications.asked(projectId, 'gate', asker)),
  );
  return asked.flat().filter(({ gate }) => gate !== undefined);
}

/** What a person still has to say before a phase is done: one sentence for each. */
export function missingGates(at: PhaseAtWork, records: PhaseRecord[], gates: Notification[]): string[] {
  const missing: string[] = [];
  for (const { id, status, gate } of gates) {
    if (status === 'open') missing.push(`The ${gate?.kind} gate waits for an answer (${id}).`);
  }
  const isOpen = (kind: GateKind) =>
    gates.some(({ status, gate }) => status === 'open' && gate?.kind === kind);
  if (requiresManualTesting(at.front) && !isOpen('testing')) {
    const last = gates.findLast(({ gate, outcome }) => gate?.kind === 'testing' && outcome === 'answered');
    const round = roundOf(records);
    if (!last || last.gate?.round !== round)
      missing.push(`Iteration ${round} was not tested by a person yet: plan block-prompt-testing-gate.`);
    else if (answerTo(last, 'passed') !== 'passed')
      missing.push('The person who tested it asked for changes.');
  }
  if (at.variants.length > 0 && !isOpen('variants')) {
    if (solutionOf(gates, at) === undefined)
      missing.push('Nobody decided about the variants yet: plan block-prompt-variants-gate.');
  }
  return missing;
}
