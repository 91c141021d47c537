import { describe, expect, test } from 'vitest';
import type { AgentDriver, AgentEvent } from '../../../src/agents/driver.ts';
import type { RunOptions } from '../../../src/agents/run/run-options.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import type { History } from '../../../src/work/run/history.ts';
import { type Desk, perform } from '../../../src/work/run/perform.ts';
import { type Puppet, puppetDriver } from '../../agents/support/puppet.ts';
import { openStage, type Stage } from '../../agents/support/stage.ts';
import { agentThatSays } from './support/agent-that-says.ts';

const asks = (id: string, questions: unknown[]): AgentEvent => ({ kind: 'question', ask: { id, questions } });

const begins = (event: AgentEvent) => (self: Puppet) => {
  self.events.push({ kind: 'session', sessionId: 's-1' });
  self.events.push(event);
};

async function answer(
  { ledger, projectId }: Stage,
  { id, questions }: Notification,
  words: string,
): Promise<void> {
  const responses = questions.map((each) => ({ questionId: each.id, answer: words }));
  const by = { actor: { kind: 'person', name: 'Ada' }, channel: 'terminal' } as const;
  await ledger.notifications.resolve(projectId, id, { responses }, by);
}

interface More extends Partial<Pick<RunOptions, 'signal' | 'confirm'>> {
  judge?: Desk<string>['judge'];
  prompt?(history: History): string;
  about?: string;
  taskId?: string;
  onWait?(open: Notification[]): void;
}

function executing({ ledger, projectId }: Stage, driver: AgentDriver, more: More = {}) {
  const { signal, confirm, about = 'x', taskId } = more;
  const work = { for: 'answer' as const, about };
  const prompt =
    more.prompt ?? (({ sentBack }) => `Do it. ${sentBack.map(({ findings }) => findings).join(' ')}`.trim());
  return perform<string>({
    asker: { projectId, source: 'plan', sourceId: 'x', work, ...(taskId && { taskId }) },
    conducting: {
      ...{ ledger, driver, setup: { cwd: '/', env: {}, mustAsk: false } },
      ...{ patience: { outage: [], crash: [] }, signal, confirm },
    },
    limits: { rounds: { fix: 2 } },
    whenAsked: 'wait',
    before: (step) => {
      if (step.kind === 'wait') more.onWait?.(step.open);
    },
    brief: (history) => ({ prompt: prompt(history), work }),
    judge:
      more.judge ??
      (({ text }) =>
        text.startsWith('good')
          ? { kind: 'ended', result: text }
          : { kind: 'send_back', purpose: 'fix', findings: `Not ${text}.` }),
  });
}

describe('the loop of agent work', () => {
  test('DRV-2 an agent that fails with nothing left to ask is not started over and over', async () => {
    const stage = await openStage();
    const { driver, runs } = puppetDriver([begins(asks('a', ['Which?']))]);
    const parked: string[] = [];
    const [outcome] = await Promise.all([
      executing(stage, driver, { onWait: (open) => parked.push(...open.map(({ id }) => id)) }),
      stage.asked().then((asked) => {
        runs[0]?.end('parked');
        return answer(stage, asked, 'this');
      }),
    ]);
    expect(outcome).toMatchObject({ kind: 'stopped', end: { reason: 'failed' } });
    expect(outcome.run.status, 'the answer is still to be delivered').toBe('waiting');
    expect(runs).toHaveLength(2);
    expect(parked.length).toBeLessThanOrEqual(1);
  });

  test('TEAM-2 work withdrawn right after it was confirmed does not start its agent again', async () => {
    const stage = await openStage();
    const { ledger, projectId } = stage;
    const { driver, prompts } = agentThatSays(['Which?', 'good']);
    const by = { actor: { kind: 'person', name: 'Ada' }, channel: 'terminal' } as const;
    let isHeld = true;
    const confirm = async () => {
      if (!isHeld) throw new Error('withdrawn');
      const { notifications } = await ledger.notifications.list({ projectId, status: ['open'] });
      for (const { id } of notifications) {
        isHeld = false;
        await ledger.notifications.withdraw(projectId, id, 'No longer wanted.', by);
      }
    };
    const judge = ({ text }: { text: string }) =>
      text === 'good'
        ? { kind: 'ended' as const, result: text }
        : { kind: 'ask' as const, questions: [{ id: 'q', text, createdAt: new Date().toISOString() }] };
    await expect(executing(stage, driver, { confirm, judge })).rejects.toThrow('withdrawn');
    expect(prompts).toHaveLength(1);
  });

  test('MSG-1 an answer is not used before its agent has heard what was said while it was judged', async () => {
    const stage = await openStage();
    const { ledger, projectId } = stage;
    const by = { actor: { kind: 'person', name: 'Ada' }, channel: 'terminal' } as const;
    const { id: taskId } = await ledger.tasks.add({ projectId, title: 'Draft' }, by);
    const { driver, prompts } = agentThatSays(['good', 'good, with tests']);
    const judge = async ({ text }: { text: string }) => {
      if (prompts.length === 1) await ledger.tasks.say(projectId, taskId, 'With tests.', by);
      return { kind: 'ended' as const, result: text };
    };
    expect(await executing(stage, driver, { judge, taskId })).toMatchObject({ result: 'good, with tests' });
    expect(prompts).toHaveLength(2);
    expect(prompts[0]).not.toContain('With tests.');
    expect(prompts[1]?.split('With tests.')).toHaveLength(2);
    expect(await ledger.tasks.chat(projectId, taskId)).toMatchObject([{ delivery: 'read' }]);
  });

  test('CONV-6 an empty answer is not a result, nor is it for the next process', async () => {
    const stage = await openStage();
    const { driver, prompts } = agentThatSays([' \n', 'good']);
    expect(await executing(stage, driver)).toMatchObject({
      kind: 'stopped',
      end: { reason: 'no_result', message: expect.stringContaining('Its answer is empty') },
    });
    expect(await executing(stage, driver)).toMatchObject({ kind: 'ended', result: 'good' });
    expect(prompts).toHaveLength(2);
  });

  test('CRASH answers that were sent back count towards the limit in the next process', async () => {
    const stage = await openStage();
    const { driver, prompts } = agentThatSays(['bad', 'failed', 'worse', 'worst', 'good']);
    expect(await executing(stage, driver)).toMatchObject({
      kind: 'stopped',
      sentBack: [{ findings: 'Not bad.' }],
    });
    expect(await executing(stage, driver)).toMatchObject({
      kind: 'given_up',
      sentBack: [{ text: 'bad' }, { text: 'worse' }, { text: 'worst' }],
    });
    expect(await executing(stage, driver)).toMatchObject({ kind: 'ended', result: 'good' });
    expect(prompts).toEqual([
      'Do it.',
      'Do it. Not bad.',
      'Do it. Not bad.',
      'Do it. Not bad. Not worse.',
      'Do it.',
    ]);
  });

  test('CRASH other work of the same asker does not take its answer', async () => {
    const stage = await openStage();
    const { driver } = agentThatSays(['good one', 'good two']);
    await executing(stage, driver);
    expect(await executing(stage, driver, { about: 'y' })).toMatchObject({
      result: 'good two',
    });
    expect(await executing(stage, driver)).toMatchObject({ result: 'good one' });
  });

  test('CRASH work that a living process works on is refused', async () => {
    const stage = await openStage();
    const { driver, runs } = puppetDriver([() => undefined]);
    const first = executing(stage, driver);
    await expect.poll(() => runs.length).toBe(1);
    await expect(executing(stage, driver)).rejects.toMatchObject({ code: 'conflict' });
    runs[0]?.end('ok', 'good');
    expect(await first).toMatchObject({ kind: 'ended' });
  });

  test('HEAR-5 an agent that is interrupted keeps its session, and the next process resumes it', async () => {
    const stage = await openStage();
    const stop = new AbortController();
    const { driver, resumed } = puppetDriver([
      (self) => {
        self.events.push({ kind: 'session', sessionId: 's-1' });
        setTimeout(() => stop.abort(), 20);
      },
      (self) => self.end('ok', 'good'),
    ]);
    expect(await executing(stage, driver, { signal: stop.signal })).toMatchObject({
      kind: 'stopped',
      end: { reason: 'stopped' },
      run: { status: 'waiting' },
    });
    expect(await executing(stage, driver)).toMatchObject({ kind: 'ended' });
    expect(resumed).toEqual(['s-1']);
  });

  test.each(['failed', 'timed_out'] as const)(
    'HEAR-5 an agent that %s keeps its session, and the next process resumes it',
    async (reason) => {
      const stage = await openStage();
      const { driver, resumed } = puppetDriver([
        (self) => {
          begins({ kind: 'text', text: 'I look around.' })(self);
          self.end(reason);
        },
        (self) => self.end('ok', 'good'),
      ]);
      expect(await executing(stage, driver)).toMatchObject({
        kind: 'stopped',
        end: { reason },
        run: { status: 'waiting' },
      });
      expect(await executing(stage, driver)).toMatchObject({ kind: 'ended' });
      expect(resumed).toEqual(['s-1']);
    },
  );

  test('HEAR-5 a session that fails at once when it is resumed is given up; the next agent starts with the answers', async () => {
    const stage = await openStage();
    const { driver, runs, resumed, prompts } = puppetDriver([
      begins(asks('a', ['Which?'])),
      (self) => self.end('failed'),
      (self) => self.end('ok', 'good'),
    ]);
    const prompt: NonNullable<More['prompt']> = ({ asked }) =>
      JSON.stringify(asked.map(({ responses }) => responses));
    const [first] = await Promise.all([
      executing(stage, driver, { prompt }),
      stage.asked().then(async (asked) => {
        await answer(stage, asked, 'this');
        await expect.poll(() => runs[0]?.answers.length).toBe(1);
        runs[0]?.end('timed_out');
      }),
    ]);
    expect(first).toMatchObject({ kind: 'stopped', run: { status: 'waiting' } });
    expect(await executing(stage, driver, { prompt })).toMatchObject({
      kind: 'stopped',
      end: { reason: 'failed' },
      run: { status: 'ended' },
    });
    expect(await executing(stage, driver, { prompt })).toMatchObject({ kind: 'ended' });
    expect(resumed).toEqual(['s-1']);
    expect(prompts.at(-1)).toContain('this');
  });
});

describe('the loop of a phase or task', () => {
  const RESULT = '{"status":"success"}';

  function executingTask(
    { ledger, projectId }: Stage,
    driver: AgentDriver,
    judge: Desk<string>['judge'],
    more: Partial<Desk<string>> & Pick<RunOptions, 'signal'> = {},
  ) {
    const { signal, ...rest } = more;
    return perform<string>({
      asker: { projectId, source: 'execute', sourceId: 't1' },
      conducting: { ledger, driver, setup: { cwd: '/', env: {}, mustAsk: false }, startsOver: true, signal },
      limits: { retries: 1, rounds: { fix: 2 } },
      whenAsked: 'release',
      brief: (_, { purpose, findings, failure }) => ({
        prompt: [purpose, findings, failure].filter(Boolean).join(': '),
        work: { for: 'task', purpose, findings },
      }),
      judge,
      ...rest,
    });
  }

  const fix = { kind: 'send_back', purpose: 'fix', findings: 'tests fail' } as const;
  const ended = { kind: 'ended', result: 'merged' } as const;

  test('RUN-2 findings go to the next agent until its work passes', async () => {
    const { driver, prompts } = agentThatSays([RESULT, RESULT]);
    const verdicts = [fix, { kind: 'moved' } as const, ended];
    const outcome = await executingTask(await openStage(), driver, () => verdicts.shift() ?? ended);
    expect(outcome).toMatchObject({ kind: 'ended', result: 'merged' });
    expect({ prompts, left: verdicts }).toEqual({ prompts: ['work', 'fix: tests fail'], left: [] });
  });

  test('RUN-2 CRASH it is given up after as many rounds, also over several processes', async () => {
    const stage = await openStage();
    const { driver, prompts } = agentThatSays([RESULT, RESULT, RESULT, RESULT]);
    const first = await executingTask(stage, driver, ({ attempt }) =>
      attempt === 1 ? fix : { kind: 'wait' },
    );
    expect(first).toMatchObject({ kind: 'waiting', open: [] });
    expect(await executingTask(stage, driver, () => fix)).toMatchObject({ kind: 'given_up' });
    expect(prompts).toEqual(['work', 'fix: tests fail', 'fix: tests fail']);
  });

  test('RUN-2 an agent that fails is started again once, and hears how the last one failed', async () => {
    const { driver, prompts } = agentThatSays(['failed', 'Hello.', RESULT]);
    expect(await executingTask(await openStage(), driver, () => ended)).toMatchObject({
      kind: 'given_up',
      failure: expect.stringContaining('without a readable result'),
    });
    expect(prompts).toEqual(['work', 'work: It ended.']);
  });

  test('LED-9 a task whose answer is questions is released; the next process continues with their answers', async () => {
    const stage = await openStage();
    const { driver, prompts } = agentThatSays(['{"open_questions":["Which?"]}', RESULT]);
    const judge: Desk<string>['judge'] = ({ history }) =>
      history.past.length === 1
        ? { kind: 'ask', questions: [{ id: 'q', text: 'Which?', createdAt: new Date().toISOString() }] }
        : ended;
    expect(await executingTask(stage, driver, judge)).toMatchObject({ kind: 'waiting', open: [{}] });
    expect(await executingTask(stage, driver, judge), 'asked once').toMatchObject({ kind: 'waiting' });
    const { notifications } = await stage.ledger.notifications.list({ projectId: stage.projectId });
    expect(notifications).toHaveLength(1);
    for (const each of notifications) await answer(stage, each, 'this');
    expect(await executingTask(stage, driver, judge)).toMatchObject({ kind: 'ended' });
    expect(prompts).toHaveLength(2);
  });

  test('CRASH what an agent did is kept before it is judged, and what the previous process left, before anything else', async () => {
    const { driver } = agentThatSays([RESULT]);
    const steps: string[] = [];
    const judge = () => {
      steps.push('judged');
      return ended;
    };
    await executingTask(await openStage(), driver, judge, {
      receive: async () => void steps.push('kept'),
      before: ({ kind }) => steps.push(kind),
    });
    expect(steps).toEqual(['kept', 'start', 'kept', 'judge', 'judged']);
  });

  test('RUN-2 it is released while its agent waits for an answer', async () => {
    const stage = await openStage();
    const { driver, runs } = puppetDriver([begins(asks('a', ['Which?']))]);
    const [outcome] = await Promise.all([
      executingTask(stage, driver, () => ended),
      stage.asked().then(() => runs[0]?.end('parked')),
    ]);
    expect(outcome).toMatchObject({
      kind: 'waiting',
      open: [{ status: 'open' }],
      run: { status: 'waiting' },
    });
  });

  test('RUN-2 it is released if another process has not let go of its agent yet', async () => {
    const stage = await openStage();
    const { driver, runs } = puppetDriver([() => undefined]);
    const first = executingTask(stage, driver, () => ended);
    await expect.poll(() => runs.length).toBe(1);
    const second = executingTask(stage, driver, () => ended, { signal: AbortSignal.timeout(100) });
    expect(await second).toMatchObject({ kind: 'waiting', open: [] });
    runs[0]?.end('ok', RESULT);
    expect(await first).toMatchObject({ kind: 'ended' });
  });
});
