import { expect, test } from 'vitest';
import { noAnswerText } from '../../../src/agents/questions/answer-text.ts';
import type { Notification } from '../../../src/schema/notification.ts';

test.each([
  [undefined, 'The question was withdrawn.'],
  ['obsolete', 'The question was withdrawn: obsolete.'],
  ['The token was revoked.', 'The question was withdrawn: The token was revoked.'],
  ['Why ask?', 'The question was withdrawn: Why ask?'],
])('with the reason %j, the sentence ends with one mark', (reason, sentence) => {
  const settled = { outcome: 'withdrawn', reason } as Notification;
  expect(noAnswerText(settled)).toBe(`${sentence} Continue without an answer.`);
});
