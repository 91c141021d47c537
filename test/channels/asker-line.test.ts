import { expect, test } from 'vitest';
import { askerLine } from '../../src/schema/asker.ts';
import type { Notification } from '../../src/schema/notification.ts';
import { fermata, freshFolder } from '../support/fermata.ts';

const asked: Notification = {
  id: 'n-1',
  projectId: 'p',
  source: 'execute',
  sourceId: 'shop/2',
  kind: 'question',
  holds: {},
  status: 'open',
  questions: [],
  responses: [],
  policy: { kind: 'wait' },
  createdAt: '',
  createdBy: { actor: { kind: 'agent', name: 'claude' }, channel: 'agent' },
};
const gate = { kind: 'testing' as const, plan: 'shop', round: 1, file: '' };

test.each<[Partial<Notification>, string]>([
  [{ holds: { task: 'shop/2' } }, 'An agent asks · holds up task shop/2'],
  [{ sourceId: 'deploy' }, 'An agent asks · holds up deploy'],
  [{ sourceId: 'mcp-m00v18tpty' }, 'An agent asks · asked by claude'],
  [
    { source: 'gap', sourceId: 'acme/shop' },
    'Gap in an issue · holds up the plan from the issues in acme/shop',
  ],
  [{ source: 'plan', sourceId: 'log-in' }, 'Planning · holds up plan log-in'],
  [{ source: 'eval', sourceId: 'f-1' }, 'Feedback · holds up feedback f-1'],
  [{ source: 'prd', sourceId: 'goals' }, 'Requirements · holds up section goals of PRD.md'],
  [
    { source: 'gate', gate: { ...gate, phase: '2', variant: 'A' } },
    'Testing gate · holds up phase 2 A of plan shop',
  ],
  [{ source: 'gate', gate: { ...gate, kind: 'plan' } }, 'Plan review · holds up plan shop'],
  [{ source: 'approval', status: 'answered' }, 'Approval · shop/2'],
  [{ source: 'approval', sourceId: 'trust:plan:shop' }, 'Approval · holds up plan shop'],
])('CHAN-1 %j comes from "%s"', (changes, line) => {
  expect(askerLine({ ...asked, ...changes })).toBe(line);
});

test('CHAN-1 CLI-inbox the inbox says where a question comes from and what waits, without the ledger’s terms', async () => {
  const at = { cwd: freshFolder() };
  await fermata(['ask', 'Which?', '--timeout', '0.1'], at);
  await fermata(['tasks', 'add', 'Schema', '--id', 'schema'], at);
  await fermata(['ask', 'Which keys?', '--task', 'schema', '--timeout', '0.1'], at);
  const { stdout } = await fermata(['inbox'], at);
  expect(stdout).toMatch(/\nn-\S+ {2}Question · asked by tester · waits \d+ s\n {2}Which\?\n$/);
  expect(stdout).toMatch(/^n-\S+ {2}Question · holds up task schema · waits \d+ s\n {2}Which keys\?\n/);
});
