import { expect, test } from 'vitest';
import { permissionQuestion } from '../../../src/agents/questions/permission-question.ts';
import { noticeText } from '../../../src/channels/notices/notice-text.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import { awkwardCommands } from '../../support/awkward-commands.ts';
import { sinks } from '../support/sinks.ts';

const LINK = 'https://hub.example/a/token';
const by = { actor: { kind: 'agent' as const, name: 'a' }, channel: 'agent' as const };

function noticeOf(command: string, gate?: Notification['gate']) {
  const createdAt = '2026-01-01T00:00:00.000Z';
  const notification: Notification = {
    ...{
      id: 'n-1',
      projectId: 'p',
      source: 'approval',
      sourceId: 't',
      kind: 'approval',
      holds: {},
      status: 'open',
      responses: [],
    },
    ...{ policy: { kind: 'wait' }, createdAt, createdBy: by },
    ...(gate ? { gate } : {}),
    questions: [{ id: 'q1', createdAt, ...permissionQuestion({ tool: 'Bash', input: { command } }) }],
  };
  return noticeText({ notification, reminder: false }, 'library', () => LINK);
}

test.each(awkwardCommands)(
  'a notice shows every byte of a command with $name, or says that it does not (BIND-11)',
  async ({ command, shown }) => {
    const isLong = shown.join('\n').length > 1200;
    for (const { name, show, approved } of sinks) {
      const whole = await show(noticeOf(command));
      const lines = approved(whole);
      if (!isLong) expect(lines, name).toEqual(shown);
      expect(whole.includes(`INCOMPLETE. Read all of it before you answer: ${LINK}`), name).toBe(isLong);
      const last = lines.at(-1)?.replace(/…$/, '') ?? '';
      expect(lines.slice(0, -1), name).toEqual(shown.slice(0, lines.length - 1));
      expect(shown[lines.length - 1]?.startsWith(last), name).toBe(true);
      expect(whole.length, name).toBeLessThan(2000);
    }
  },
);

test('BIND-11 a notice that was cut says INCOMPLETE, also if its gate has files to look at', () => {
  const material = [{ kind: 'text' as const, title: 'Report', text: 'All green.' }];
  const gate = { kind: 'testing' as const, plan: 'login', round: 1, file: 'g.md', material };
  const [question] = noticeOf('x'.repeat(5000), gate).questions;
  expect(question?.more).toContain('INCOMPLETE');
});
