import type { Notification } from '../../src/schema/notification.ts';
import type { Question } from '../../src/schema/question.ts';
import type { Task } from '../../src/schema/task.ts';

const AT = '2026-01-01T10:00:00.000Z';

export const question = (fields: Partial<Question> = {}): Question => ({
  id: 'q',
  text: 'Which?',
  createdAt: AT,
  ...fields,
});

export const asked = (fields: Partial<Notification> = {}): Notification => ({
  id: 'n-1',
  projectId: 'p',
  source: 'execute',
  sourceId: 't-1',
  kind: 'question',
  holds: { task: 't-1' },
  status: 'open',
  questions: [question()],
  responses: [],
  policy: { kind: 'wait' },
  createdAt: AT,
  createdBy: { actor: { kind: 'agent', name: 'coder' }, channel: 'agent' },
  ...fields,
});

export const task = (id: string, dependsOn: string[] = [], fields: Partial<Task> = {}): Task => ({
  id,
  projectId: 'p',
  title: id,
  body: '',
  status: 'open',
  assignee: null,
  claimedBy: null,
  blockReason: null,
  dependsOn,
  priority: 2,
  position: 0,
  kind: 'task',
  paused: false,
  needs: null,
  fence: 0,
  leaseUntil: null,
  createdAt: AT,
  updatedAt: AT,
  closedAt: null,
  ...fields,
});
