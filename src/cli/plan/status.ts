import { type PhaseProgress, planProgress } from '../../planning/plan/progress.ts';
import { type Status, statuses, statusLabels } from '../../planning/plan/status.ts';
import type { CommonOptions } from '../command.ts';
import { print, printJson, tell } from '../output.ts';
import { type Column, oneLine, tablePrinter } from '../table.ts';
import { openPlan } from './open.ts';
import { problemLine } from './show.ts';

export async function planStatus(target: string, options: CommonOptions): Promise<void> {
  const plan = openPlan(target);
  const progress = planProgress(plan);
  const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>;
  for (const { phase } of progress) counts[phase.status] += 1;
  if (options.format === 'json') {
    return printJson({ title: plan.title, counts, phases: progress.map(progressJson) });
  }
  await print([oneLine(plan.title), ...tablePrinter(columns)(progress)].join('\n'));
  const said = statuses
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${statusLabels[status].toLowerCase()}`);
  tell(said.length === 0 ? 'The plan has no phases.' : `${said.join(', ')}.`);
  for (const problem of plan.problems) tell(problemLine(problem));
}

export async function planNext(target: string, options: CommonOptions): Promise<void> {
  const progress = planProgress(openPlan(target));
  const next = progress.filter(({ canStart }) => canStart);
  if (options.format === 'json') {
    const waiting = progress.filter(({ phase, canStart }) => phase.status === 'pending' && !canStart);
    return printJson({ next: next.map(progressJson), waiting: waiting.map(progressJson) });
  }
  if (next.length > 0)
    return print(next.map(({ phase }) => `${phase.id}  ${oneLine(phase.title)}  ${phase.path}`).join('\n'));
  tell(whyNothing(progress));
}

function progressJson({ phase: { id, title, path, status }, tasks, waitsFor }: PhaseProgress) {
  return { id, title, path, status, tasks, waits_for: waitsFor };
}

const columns: Column<PhaseProgress>[] = [
  { heading: 'phase', cell: ({ phase }) => phase.id },
  { heading: 'title', cell: ({ phase }) => phase.title, flexible: true },
  { heading: 'status', cell: ({ phase }) => statusLabels[phase.status] },
  { heading: 'tasks', cell: ({ tasks }) => (tasks.total === 0 ? '' : `${tasks.done}/${tasks.total}`) },
  {
    heading: 'waits for',
    cell: ({ phase, waitsFor }) => (phase.status === 'completed' ? '' : waitsFor.join(', ')),
    flexible: true,
  },
];

function whyNothing(progress: PhaseProgress[]): string {
  if (progress.length === 0) return 'The plan has no phases.';
  if (progress.every(({ phase }) => phase.status === 'completed')) return 'Everything is completed.';
  const pending = progress.filter(({ phase }) => phase.status === 'pending');
  if (pending.length === 0) return 'Nothing is pending: see "fermata plan status".';
  const [first] = pending;
  if (first && first.waitsFor.length === 0)
    return `The file of phase ${first.phase.id} cannot be read: see "fermata audit".`;
  return `Nothing can be started: phase ${first?.phase.id} waits for ${first?.waitsFor.join(', ')}.`;
}
