import type { GateKind } from '../../schema/gate.ts';
import type { Notification } from '../../schema/notification.ts';
import type { PhaseRecord } from '../../schema/phase-record.ts';
import { covers, type SeenContent } from '../../schema/seen-content.ts';
import { requiresManualTesting } from '../phases/front-matter.ts';
import { type PhaseTask, taskIdOf } from '../phases/phase-task.ts';
import type { PlanContext } from '../phases/plan-context.ts';
import { answerTo, solutionOf } from './gate-result.ts';

/** The round of a gate in a phase: the number of the last implementation on record. */
export function roundOf(records: PhaseRecord[]): number {
  return Math.max(
    0,
    ...records.filter((each) => each.kind === 'implementation').map(({ iteration }) => iteration),
  );
}

/** Variants are chosen once, whatever iteration each is in. */
export const VARIANTS_ROUND = 0;

/** All gates of a phase; its variants share one gate. */
export async function gatesOf(
  { ledger, projectId, name }: Pick<PlanContext, 'ledger' | 'projectId' | 'name'>,
  at: PhaseTask,
): Promise<Notification[]> {
  const askers = new Set([at.taskId, taskIdOf(name, at.number, null)]);
  const asked = await Promise.all(
    [...askers].map((asker) => ledger.notifications.asked(projectId, 'gate', asker)),
  );
  return asked.flat().filter(({ gate }) => gate !== undefined);
}

/** The answered gates of one kind and round, the latest last. */
export function answeredGates(gates: Notification[], kind: GateKind, round: number): Notification[] {
  return gates.filter(
    ({ gate, outcome }) => gate?.kind === kind && gate.round === round && outcome === 'answered',
  );
}

/** Whether a person passed or chose something other than the current state. */
export function isOutdated(
  answered: Notification | undefined,
  { taskId, variant }: Pick<PhaseTask, 'taskId' | 'variant'>,
  content: string | undefined,
): boolean {
  const seen = answered?.gate?.contents;
  if (!answered || seen === undefined || content === undefined) return false;
  const isTest = answered.gate?.kind === 'testing';
  const accepted = isTest
    ? answerTo(answered, 'passed') === 'passed'
    : answerTo(answered, variant ?? '') === 'main';
  const own = seen[taskId];
  return accepted && !(own && covers(own, content));
}

/** How many answers are outdated because what a person passed or chose has changed; 0 if the last one is valid. */
export function outdatedAnswers(
  answered: Notification[],
  phases: PhaseTask[],
  contents: Record<string, SeenContent>,
): number {
  const last = answered.at(-1);
  return phases.some((at) => isOutdated(last, at, contents[at.taskId]?.files)) ? answered.length : 0;
}

/** What a person still has to answer before a phase is done: one sentence each. */
export function missingGates(at: PhaseTask, records: PhaseRecord[], gates: Notification[]): string[] {
  const missing: string[] = [];
  for (const { id, status, gate } of gates) {
    if (status === 'open') missing.push(`The ${gate?.kind} gate (${id}) needs an answer.`);
  }
  const isOpen = (kind: GateKind) =>
    gates.some(({ status, gate }) => status === 'open' && gate?.kind === kind);
  const round = roundOf(records);
  const tested = answeredGates(gates, 'testing', round).at(-1);
  if (tested && answerTo(tested, 'passed') !== 'passed')
    missing.push('The person who tested it asked for changes.');
  else if (requiresManualTesting(at.front) && !tested && !isOpen('testing'))
    missing.push(`Nobody has tested iteration ${round} yet ("plan block-prompt-testing-gate").`);
  if (at.variants.length > 0 && !isOpen('variants')) {
    if (solutionOf(gates, at) === undefined)
      missing.push('Nobody has decided on the variants yet ("plan block-prompt-variants-gate").');
  }
  return missing;
}
