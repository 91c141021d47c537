import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Step } from '../../../src/testing/scenario.ts';
import { untilLedger } from '../../support/asked.ts';
import { fermata } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { CTRL_C, inTerminal } from '../../support/pty.ts';
import { planRepository, type TestPhase } from './support/plan-repository.ts';

const LONG = 240_000;

const asksForColour = (...more: Step[]): TestPhase => ({
  id: '1',
  steps: [
    { do: 'ask', questions: [{ id: 'q', question: 'Which colour?' }] },
    { do: 'write', path: 'a.txt', content: '{{answer:q}}\n' },
    ...more,
  ],
});

test(
  'RUN-3 CHAN-1 at a terminal the view is live, and stops while a person answers; messages from that time follow',
  async () => {
    const place = planRepository([
      asksForColour({ do: 'wait', ms: 2500 }),
      { id: '2', steps: [{ do: 'write', path: 'b.txt', content: 'b\n' }] },
    ]);
    const terminal = inTerminal(['run', 'plans/shop', '--agent', 'scripted'], place.at);
    await terminal.shows(/Which colour\?[\s\S]*› /);
    const tasks = async () => JSON.parse((await fermata(['tasks', 'list', '--json'], place.at)).stdout).tasks;
    await untilLedger(place.at, async () => (await tasks())[1].status === 'closed' || undefined);
    const [, since = ''] = terminal.screen().split('Which colour?');
    expect(since).not.toContain('2: ');
    terminal.type('green\r');
    await terminal.shows(/2: done: merged into work/);
    await terminal.shows(/● 1 {5}Part 1.*\n1 of 2 done · 1 working/);
    await terminal.shows(/2 of 2 phases of shop are done/);
    expect(await terminal.ended).toBe(0);
    expect(readFileSync(join(place.cwd, 'a.txt'), 'utf8')).toBe('green\n');
    expect(terminal.screen(), 'who was asked here is not told how to answer').not.toMatch(
      /Waiting for a person|fermata answer/,
    );
  },
  LONG,
);

longTest(
  'RUN-3 the first Ctrl-C says what happens, and how to continue',
  async () => {
    const place = planRepository([{ id: '1', steps: [{ do: 'run', command: 'sleep 1000' }] }]);
    const terminal = inTerminal(['run', 'plans/shop', '--agent', 'scripted'], place.at);
    await terminal.shows(/● 1 {5}Part 1/);
    terminal.type(CTRL_C);
    await terminal.shows(/Stopping\..* press Ctrl-C again/);
    await terminal.shows(/0 of 1 phases of shop are done\.\nResume with: fermata run --resume plans\/shop/);
    expect(await terminal.ended).toBe(130);
  },
  LONG,
);

longTest(
  'CHAN-1 RUN-2 questions that were open when a run was killed are asked in the terminal that resumes it',
  async () => {
    const place = planRepository([asksForColour(), { id: '2', front: 'requires_manual_testing: true' }]);
    const first = await place.run('--park-after', '1s');
    expect(first.code).toBe(3);
    const terminal = inTerminal(['run', 'plans/shop', '--resume'], place.at);
    await terminal.shows(/Which colour\?[\s\S]*› /);
    terminal.type('green\r');
    await terminal.shows(/Does phase 2.*\nIt is in [\s\S]*work--shop--implementation-2/);
    await terminal.shows(/› /);
    terminal.type('passed\r');
    await terminal.shows(/Any comments\?[\s\S]*› /);
    terminal.type('\r');
    await terminal.shows(/Enter to send.*› /);
    terminal.type('\r');
    await terminal.shows(/2 of 2 phases of shop are done/);
    expect(await terminal.ended).toBe(0);
    expect(readFileSync(join(place.cwd, 'a.txt'), 'utf8')).toBe('green\n');
    expect(terminal.screen(), 'who was asked here is not told how to answer').not.toMatch(
      /Waiting for a person|fermata answer/,
    );
  },
  LONG,
);
