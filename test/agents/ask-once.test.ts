import { describe, expect, test } from 'vitest';
import { ASSUME } from '../../src/agents/answer-text.ts';
import { askOnce } from '../../src/agents/ask-once.ts';
import { puppetDriver } from './support/puppet.ts';

const asked = { setup: { cwd: '/', env: {}, mustAsk: true }, prompt: 'Plan.' };

describe('DRV-4 one prompt, one text', () => {
  test('an agent that asks is told to assume; only tools that are allowed are permitted', async () => {
    const { driver, runs } = puppetDriver([
      (self) => {
        self.events.push({ kind: 'question', ask: { id: 'a', questions: ['Which?'] } });
        self.events.push({ kind: 'permission', id: 'p1', tool: 'Read', input: {} });
        self.events.push({ kind: 'permission', id: 'p2', tool: 'Bash', input: {} });
        self.end('ok', 'A plan.');
      },
    ]);
    const end = await askOnce({ ...asked, driver, allows: (tool) => tool === 'Read' });
    expect(end).toMatchObject({ reason: 'ok', text: 'A plan.' });
    expect(runs[0]?.answers).toMatchObject([['a', { outcome: 'declined', reason: ASSUME }]]);
    expect(runs[0]?.permits).toEqual([
      ['p1', true, undefined],
      ['p2', false, expect.stringContaining('Do without it')],
    ]);
  });

  test.each([
    ['an empty text', 'ok', '  ', 'its answer is empty'],
    ['a question in place of an answer', 'parked', '', 'instead of answering'],
  ] as const)('%s is no result', async (_, reason, text, message) => {
    const { driver } = puppetDriver([(self) => self.end(reason, text)]);
    const end = await askOnce({ ...asked, driver });
    expect(end).toMatchObject({ reason: 'no_result', message: expect.stringContaining(message) });
  });

  test('who breaks it off in time starts nothing; later, the agent is stopped', async () => {
    const early = puppetDriver([]);
    const end = await askOnce({ ...asked, driver: early.driver, signal: AbortSignal.abort() });
    expect([end.reason, early.runs]).toEqual(['stopped', []]);
    const stop = new AbortController();
    const late = puppetDriver([() => stop.abort()]);
    expect((await askOnce({ ...asked, driver: late.driver, signal: stop.signal })).reason).toBe('stopped');
    expect(late.runs[0]?.stops).toBe(1);
  });

  test('what goes wrong on our side ends the agent, and is told', async () => {
    const { driver, runs } = puppetDriver([(self) => self.events.push({ kind: 'text', text: 'x' })]);
    const onEvent = () => {
      throw new Error('the screen is gone');
    };
    await expect(askOnce({ ...asked, driver, onEvent })).rejects.toThrow('the screen is gone');
    expect(runs[0]?.stops).toBe(1);
  });
});
