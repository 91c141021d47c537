import type { Task } from '../../../src/schema/task.ts';
import { kept } from './kept.ts';

type Place = Pick<Task, 'projectId' | 'id'>;

/** Unsent messages to the agent of a task. */
const texts = kept<string>('fermata.unsent');

const keyOf = ({ projectId, id }: Place): string => `${projectId} ${id}`;

export const unsentTo = (task: Place): string => texts.value[keyOf(task)] ?? '';

export function setUnsent(task: Place, text: string): void {
  const { [keyOf(task)]: _, ...rest } = texts.peek();
  texts.value = text === '' ? rest : { ...rest, [keyOf(task)]: text };
}

/** The next person to sign in may be somebody else. */
export function dropUnsent(): void {
  texts.value = {};
}
