import type { Plan } from '../../plan/grammar/plan.ts';
import { visible } from '../../schema/visible.ts';
import { protocolFor, requiresManualTesting } from '../../work/phases/front-matter.ts';
import { planAsItStands } from '../../work/phases/overview.ts';
import { phaseName, phaseTasks } from '../../work/phases/phase-task.ts';
import type { PlanContext } from '../../work/phases/plan-context.ts';
import { dependencies } from '../../work/phases/tasks.ts';
import { print, printJson } from '../output.ts';
import { tablePrinter } from '../table.ts';

interface PlannedPhase {
  id: string;
  title: string;
  /** Null: it is in a cycle, or depends on one. */
  round: number | null;
  done: boolean;
  protocol: string;
  gates: { name: string; command: string | null }[];
  tested_by_person: boolean;
}

/** Shows what would run, in rounds: everything in one round may run in parallel. Changes nothing. */
export async function dryRun(planContext: PlanContext, format: 'text' | 'json'): Promise<void> {
  const phases = plannedPhases(await planAsItStands(planContext), planContext.name);
  if (format === 'json') return printJson({ plan: planContext.name, phases });
  await print([...table(phases), ...gateCommands(phases)].join('\n') || 'The plan has no phases.');
}

function plannedPhases(plan: Plan, name: string): PlannedPhase[] {
  const all = phaseTasks(plan, name);
  const done = all.filter(({ phase }) => phase.status === 'completed').map(({ taskId }) => taskId);
  const rounds = roundsOf(dependencies(plan, name), new Set(done));
  const phases = all.map((at) => ({
    id: phaseName(at),
    title: at.phase.title,
    round: rounds.get(at.taskId) ?? null,
    done: at.phase.status === 'completed',
    protocol: protocolFor(at.front),
    gates: (at.phase.file?.gates ?? []).map(({ name, command }) => ({ name, command })),
    tested_by_person: requiresManualTesting(at.front),
  }));
  const never = Number.POSITIVE_INFINITY;
  return phases.sort((a, b) => (a.round ?? never) - (b.round ?? never) || 0);
}

const table = tablePrinter<PlannedPhase>([
  { heading: 'ROUND', cell: ({ round, done }) => (done ? 'done' : (round?.toString() ?? 'never (cycle)')) },
  { heading: 'PHASE', cell: ({ id }) => id },
  { heading: 'TITLE', cell: ({ title }) => title, flexible: true },
  { heading: 'PROTOCOL', cell: ({ protocol }) => protocol },
  { heading: 'GATES', cell: gatesInWords, flexible: true },
]);

/** Verbatim, because this is what would run. */
function gateCommands(phases: PlannedPhase[]): string[] {
  const lines = phases.flatMap(({ id, gates }) =>
    gates.map(({ name, command }) => `  ${id} ${name}: ${visible(command ?? '(no command)')}`),
  );
  return lines.length === 0 ? [] : ['', 'Gate commands:', ...lines];
}

function gatesInWords({ gates, tested_by_person }: PlannedPhase): string {
  const names = [...gates.map(({ name }) => name), ...(tested_by_person ? ['tested by a person'] : [])];
  return names.join(', ') || 'none';
}

/**
 * The round in which each task can start: after the last of its dependencies. Finished tasks are in round 0. A cycle, and
 * what depends on it, has none. Visits each dependency once, whatever the plan's order.
 */
export function roundsOf(waitsFor: Map<string, string[]>, done: ReadonlySet<string>): Map<string, number> {
  const waiters = new Map<string, string[]>();
  const left = new Map<string, number>();
  for (const [task, before] of waitsFor) {
    left.set(task, before.length);
    for (const each of before) {
      const waiting = waiters.get(each);
      if (waiting) waiting.push(task);
      else waiters.set(each, [task]);
    }
  }
  const rounds = new Map<string, number>();
  const latest = new Map<string, number>();
  const free = [...waitsFor.keys()].filter((task) => left.get(task) === 0);
  for (const task of free) {
    const round = done.has(task) ? 0 : 1 + (latest.get(task) ?? 0);
    rounds.set(task, round);
    for (const waiter of waiters.get(task) ?? []) {
      latest.set(waiter, Math.max(latest.get(waiter) ?? 0, round));
      left.set(waiter, (left.get(waiter) ?? 0) - 1);
      if (left.get(waiter) === 0) free.push(waiter);
    }
  }
  return rounds;
}
