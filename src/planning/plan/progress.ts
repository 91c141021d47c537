import { idKey } from './phase-id.ts';
import type { Phase, Plan } from './plan.ts';
import type { Status } from './status.ts';

export interface PhaseProgress {
  phase: Phase;
  tasks: { done: number; total: number };
  /** What it still waits for: ids, or words that name no phase. */
  waitsFor: string[];
  /** It is pending, and waits for nothing. */
  canStart: boolean;
}

/** Where each phase stands, by the files. */
export function planProgress({ phases }: Plan): PhaseProgress[] {
  const status = new Map<string, Status>();
  for (const { id, status: now } of phases) if (!status.has(idKey(id))) status.set(idKey(id), now);
  return phases.map((phase) => {
    const waitsFor = phase.dependsOn
      .filter(({ id }) => id === null || status.get(idKey(id)) !== 'completed')
      .map(({ id, text }) => id ?? text);
    const tasks = phase.file?.tasks ?? [];
    return {
      phase,
      tasks: { done: tasks.filter(({ done }) => done).length, total: tasks.length },
      waitsFor,
      canStart: phase.status === 'pending' && waitsFor.length === 0 && phase.file !== undefined,
    };
  });
}
