import { expect, test } from 'vitest';
import { noticeText } from '../../../src/channels/notices/notice-text.ts';
import { questionPage } from '../../../src/hub/links/link-page.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';
import { sinks } from '../support/sinks.ts';

const createdAt = '2026-01-01T00:00:00.000Z';
const question: Question = { id: 'q1', createdAt, text: 'Deploy?', options: [{ label: 'Yes' }] };
const notification: Notification = {
  ...{
    id: 'n-1',
    projectId: 'p',
    source: 'execute',
    sourceId: 't',
    kind: 'question',
    holds: {},
    status: 'open',
    responses: [],
  },
  ...{ policy: { kind: 'wait' }, createdAt, questions: [question] },
  proposal: { kind: 'default', after: 4 * 3600, answers: { q1: 'Yes' } },
  createdBy: { actor: { kind: 'agent', name: 'a' }, channel: 'agent' },
};

test('BIND-9 every notice and the answer link show what the agent proposes for silence', async () => {
  const proposal = 'The agent proposes: if nobody answers within 4 h, use Yes.';
  const notice = noticeText({ notification, reminder: false }, 'library', () => 'https://hub.example/a/t');
  for (const { name, show } of sinks) expect(await show(notice), name).toContain(proposal);
  expect(questionPage(notification, question, 'library')).toContain(proposal);
});
