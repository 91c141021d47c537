import type { Decision } from '../../../src/schema/decision.ts';
import type { Event } from '../../../src/schema/event.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import type { ChatMessage, Task } from '../../../src/schema/task.ts';
import { isLong } from '../../support/long.ts';

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

export const times = isLong ? 20 : 3;
/** A project for each point; those for the answering process start with open questions. */
export const isForAnswers = (project: string) => project.startsWith('answer');
export const tasksOf = (project: string) =>
  Array.from({ length: times }, (_, index) => `${project}-${index + 1}`);
