import { idKey } from '../../planning/plan/phase-id.ts';
import { protocolFor, requiresManualTesting } from '../../work/phases/front-matter.ts';
import { phaseName, phasesAtWork } from '../../work/phases/phase-at-work.ts';
import type { PlanPlace } from '../../work/phases/plan-place.ts';
import { print, printJson } from '../output.ts';
import { oneLine } from '../table.ts';

/** What would be run, in rounds: everything in one round may run side by side. Nothing is changed. */
export async function dryRun(place: PlanPlace, format: 'text' | 'json'): Promise<void> {
  const rounds = roundsOf(place);
  const phases = phasesAtWork(place.plan, place.name).map((at) => ({
    id: phaseName(at),
    title: at.phase.title,
    round: rounds.get(idKey(at.phase.id)) ?? 0,
    done: at.phase.status === 'completed',
    protocol: protocolFor(at.front),
    gates: (at.phase.file?.gates ?? []).map(({ name, command }) => ({ name, command })),
    tested_by_person: requiresManualTesting(at.front),
  }));
  phases.sort((a, b) => a.round - b.round);
  if (format === 'json') return printJson({ plan: place.name, phases });
  const lines = phases.map(({ id, title, round, done, protocol, gates }) => {
    const checks = gates.map(({ name }) => name).join(', ') || 'no gates';
    return `${done ? 'done   ' : `round ${round}`}  ${id.padEnd(5)} ${oneLine(title)}  (${protocol}; ${oneLine(checks)})`;
  });
  await print(lines.join('\n') || 'The plan has no phases.');
}

/** In which round a phase can start: after the last of those that it depends on. A loop is left where it is. */
function roundsOf({ plan }: PlanPlace): Map<string, number> {
  const rounds = new Map<string, number>();
  for (let changed = true; changed; ) {
    changed = false;
    for (const { id, dependsOn, status } of plan.phases) {
      const key = idKey(id);
      if (rounds.has(key)) continue;
      const before = dependsOn.flatMap((dependency) => (dependency.id === null ? [] : idKey(dependency.id)));
      if (!before.every((each) => rounds.has(each))) continue;
      rounds.set(
        key,
        status === 'completed' ? 0 : 1 + Math.max(0, ...before.map((each) => rounds.get(each) ?? 0)),
      );
      changed = true;
    }
  }
  return rounds;
}
