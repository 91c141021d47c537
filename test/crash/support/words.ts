import type { Decision } from '../../../src/schema/decision.ts';
import type { Event } from '../../../src/schema/event.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import type { ChatMessage, Task } from '../../../src/schema/task.ts';
import { isLong } from '../../support/long.ts';

export type Store = 'SQLite' | 'PostgreSQL';

/** Messages between the processes of the kill matrix and the test that starts them. */
export interface Content {
  lastEvent: number;
  events: Event[];
  notifications: Notification[];
  tasks: Task[];
  chat: ChatMessage[];
  decisions: Decision[];
}

export interface Refused {
  task: string;
  code: string;
  message: string;
}

export const questionOf = (task: string) => ({
  id: 'q1',
  text: `Which way for ${task}?`,
  options: ['left', 'right'],
});
export const answerTo = (task: string) => `left, says the person of ${task}`;

export interface Recovered {
  content: Content;
  refused: Refused[];
}

/** How often a process dies at each point of a store: in `npm test` three times altogether. */
export const timesOn = (store: Store) => (isLong ? 20 : store === 'SQLite' ? 2 : 1);
/** A project for each point; those for the answering process start with open questions. */
export const isForAnswers = (project: string) => project.startsWith('answer');
export const tasksOf = (project: string, store: Store) =>
  Array.from({ length: timesOn(store) }, (_, index) => `${project}-${index + 1}`);
