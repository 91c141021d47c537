import type { Task } from '../../schema/task.ts';
import type { Worker } from '../../schema/work.ts';

/** Abilities as stored in a row: independent of the order in which they are named. */
export const needsText = (abilities: readonly string[]): string => [...new Set(abilities)].sort().join(' ');

export const fromNeedsText = (text: string): string[] => (text === '' ? [] : text.split(' '));

/** Whether a worker with these abilities can do a task with those needs. */
export function meets(abilities: readonly string[], needs: string): boolean {
  return fromNeedsText(needs).every((need) => abilities.includes(need));
}

type Serving = Pick<Worker, 'abilities' | 'projects'>;

/** Why no worker takes a queued task: "waits for a worker with codex". Undefined if one can. */
export function workerWait(
  { projectId, status, needs }: Pick<Task, 'projectId' | 'status' | 'needs'>,
  workers: readonly Serving[],
): string | undefined {
  if (needs === null || status !== 'open') return undefined;
  const serving = workers.filter(({ projects }) => projects === null || projects.includes(projectId));
  const [missing] = serving
    .map(({ abilities }) => needs.filter((need) => !abilities.includes(need)))
    .sort((a, b) => a.length - b.length);
  if (missing?.length === 0) return undefined;
  const wanted = missing ?? needs;
  return `waits for a worker${wanted.length > 0 ? ` with ${wanted.join(', ')}` : ''}`;
}
