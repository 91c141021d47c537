import { describe, expect, test } from 'vitest';
import type { AgentEvent, RunEnd } from '../../../src/agents/driver.ts';
import { resumeRun, startRun } from '../../../src/agents/run/conduct.ts';
import { waitsForPerson } from '../../../src/agents/run/run-options.ts';
import type { Transcript } from '../../../src/agents/run/transcript.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import { puppetDriver } from '../support/puppet.ts';
import { openStage, type Stage } from '../support/stage.ts';

const setup = { cwd: '/', env: {}, mustAsk: true };
const patience = { outage: [1, 1], crash: [1] };
const wanted = (projectId: string) => ({
  projectId,
  source: 'plan' as const,
  sourceId: 'x',
  prompt: 'Plan.',
  work: { for: 'agent' as const },
});
const person = { actor: { kind: 'person', name: 'Ada' }, channel: 'terminal' } as const;
const question: AgentEvent = { kind: 'question', ask: { id: 'toolu_1', questions: ['Language?'] } };

type Self = Parameters<Parameters<typeof puppetDriver>[0][number]>[0];
const fails =
  (more: Partial<RunEnd>, reason: RunEnd['reason'] = 'api_error') =>
  (self: Self) => {
    self.events.push({ kind: 'session', sessionId: 's-1' });
    setTimeout(() => self.end(reason, '', more), 20);
  };
const works = (self: Self) => {
  self.events.push({ kind: 'text', text: 'Done.' });
  self.end('ok', 'Done.');
};

async function answerIt(stage: Stage): Promise<string> {
  const { id, questions } = await stage.asked();
  const responses = questions.map((each) => ({ questionId: each.id, answer: 'Zig' }));
  await stage.ledger.notifications.resolve(stage.projectId, id, { responses }, person);
  return id;
}

describe('HEAR-5 an agent that loses its model, or dies', () => {
  test('is resumed automatically in the same session, which is reported once', async () => {
    const stage = await openStage();
    const { driver, resumed } = puppetDriver([fails({ apiStatus: 529 }), fails({}), works]);
    const told: string[] = [];
    const onRetry = (sentence: string) => told.push(sentence);
    const conducting = { ledger: stage.ledger, driver, setup, patience, onRetry };
    const { run, end } = await startRun(conducting, wanted(stage.projectId));
    expect([run.status, end.reason, end.text]).toEqual(['ended', 'ok', 'Done.']);
    expect(resumed).toEqual(['s-1', 's-1']);
    expect(told).toEqual(['It is api_error. The session is kept; Fermata will retry.']);
  });

  test.each<[string, Partial<RunEnd>, RunEnd['reason'], number]>([
    ['an outage that outlasts our patience', { apiStatus: 500 }, 'api_error', 3],
    ['a refused key, which is not tried again', { apiStatus: 401 }, 'api_error', 1],
    ['an agent that dies again and again', { signal: 'SIGKILL' }, 'crashed', 2],
  ])('%s leaves a run that waits with its session', async (_, more, reason, tries) => {
    const stage = await openStage();
    const { driver, runs, resumed } = puppetDriver([...Array(tries).fill(fails(more, reason)), works]);
    const conducting = { ledger: stage.ledger, driver, setup, patience };
    const { run, end, waiting } = await startRun(conducting, wanted(stage.projectId));
    expect([run.status, run.sessionId, end.reason, waiting]).toEqual(['waiting', 's-1', reason, []]);
    expect(runs).toHaveLength(tries);
    const last = await resumeRun(conducting, stage.projectId, run.id);
    expect([last.run.status, last.end.reason]).toEqual(['ended', 'ok']);
    expect(resumed).toEqual(Array(tries).fill('s-1'));
  });

  test('is not resumed while a person has to answer first', async () => {
    const stage = await openStage();
    const { driver, runs, sent } = puppetDriver([
      (self) => {
        self.events.push({ kind: 'session', sessionId: 's-1' });
        self.events.push(question);
        void stage.asked().then(() => self.end('crashed'));
      },
      works,
    ]);
    const conducting = { ledger: stage.ledger, driver, setup, patience };
    const outcome = await startRun(conducting, wanted(stage.projectId));
    const { run, waiting } = outcome;
    expect([run.status, waiting.length, runs.length]).toEqual(['waiting', 1, 1]);
    const [{ id, questions } = { id: '', questions: [] }] = waiting;
    const responses = questions.map((each) => ({ questionId: each.id, answer: 'Zig' }));
    await stage.ledger.notifications.resolve(stage.projectId, id, { responses }, person);
    const answered = await stage.ledger.notifications.get(stage.projectId, id);
    expect(waitsForPerson({ ...outcome, waiting: [answered] }), 'they may answer at any moment').toBe(true);
    expect((await resumeRun(conducting, stage.projectId, run.id)).end.reason).toBe('ok');
    expect(sent.map((each) => each.map((one) => one.id))).toEqual([[id]]);
  });

  test('whose key is refused each time is not resumed forever, even if an answer waits for it', async () => {
    const stage = await openStage();
    const refuses = (self: Self) => {
      self.events.push({ kind: 'session', sessionId: 's-1' });
      self.end('api_error', '', { apiStatus: 401 });
    };
    const { driver } = puppetDriver([
      (self) => {
        self.events.push({ kind: 'session', sessionId: 's-1' });
        self.events.push(question);
        void answerIt(stage).then(() => self.end('parked'));
        self.answer = async () => false;
      },
      refuses,
    ]);
    const conducting = { ledger: stage.ledger, driver, setup, patience };
    const parked = await startRun(conducting, wanted(stage.projectId));
    expect(waitsForPerson(parked)).toBe(true);
    const refused = await resumeRun(conducting, stage.projectId, parked.run.id);
    expect([refused.run.status, refused.waiting.length]).toEqual(['waiting', 1]);
    expect(waitsForPerson(refused)).toBe(false);
  });

  const permission: AgentEvent = { kind: 'permission', id: '0', tool: 'Bash', input: { command: 'ls' } };
  const approve = async (stage: Stage, { id, questions }: Notification) => {
    const responses = questions.map((each) => ({ questionId: each.id, answer: 'Approve' }));
    await stage.ledger.notifications.resolve(stage.projectId, id, { responses }, person);
  };
  const endsOncePermitted = (self: Self) => {
    const permit = self.permit.bind(self);
    self.permit = async (...given) => {
      setTimeout(() => self.end('ok', 'Done.'), 5);
      return permit(...given);
    };
  };

  test('HEAR-10 has its permission requests withdrawn before the wait', async () => {
    const stage = await openStage();
    const { driver } = puppetDriver([
      (self) => {
        self.events.push({ kind: 'session', sessionId: 's-1' });
        self.events.push(permission);
        void stage.asked().then(() => self.end('api_error'));
      },
      works,
    ]);
    let meanwhile: Promise<Notification[]> | undefined;
    const onRetry = () => {
      meanwhile = stage.ledger.notifications.asked(stage.projectId, 'approval', 'x');
    };
    const conducting = {
      ledger: stage.ledger,
      driver,
      setup,
      patience: { outage: [200], crash: [] },
      onRetry,
    };
    const { end } = await startRun(conducting, wanted(stage.projectId));
    expect(end.reason).toBe('ok');
    expect(await meanwhile).toMatchObject([
      { status: 'withdrawn', reason: 'The agent that asked for it is gone.' },
    ]);
  });

  test('gets its permission even if an earlier process withdrew one with the same number', async () => {
    const stage = await openStage();
    const { driver, runs } = puppetDriver([
      (self) => {
        self.events.push({ kind: 'session', sessionId: 's-1' });
        self.events.push(permission);
        void stage.asked().then(() => {
          self.events.push({ kind: 'cancelled', askId: '0' });
          setTimeout(() => self.end('api_error'), 20);
        });
      },
      (self) => {
        endsOncePermitted(self);
        self.events.push(permission);
        void stage.asked().then((asked) => approve(stage, asked));
      },
    ]);
    const conducting = { ledger: stage.ledger, driver, setup, patience };
    const { end } = await startRun(conducting, wanted(stage.projectId));
    expect(end.reason).toBe('ok');
    expect(runs[1]?.permits).toEqual([['0', true, undefined]]);
  });

  test('stops waiting when it is told to, and the run can be resumed', async () => {
    const stage = await openStage();
    const { driver } = puppetDriver([fails({}), works]);
    const stop = new AbortController();
    const conducting = {
      ledger: stage.ledger,
      driver,
      setup,
      patience: { outage: [600_000], crash: [] },
      signal: stop.signal,
      onRetry: () => stop.abort(),
    };
    const { run } = await startRun(conducting, wanted(stage.projectId));
    expect(run).toMatchObject({ status: 'waiting', sessionId: 's-1' });
  });
});

describe('HEAR-4 the ledger and the transcript', () => {
  const has = (call: string): Transcript => ({
    calls: new Set(),
    messages: [],
    results: new Map([[call, { isError: false, text: 'Zig' }]]),
  });

  /** An agent that asks, is answered, and dies; then one that is resumed. */
  async function dies(isProven: boolean, transcript: Transcript) {
    const stage = await openStage();
    const { driver, sent } = puppetDriver(
      [
        (self) => {
          self.answer = async () => {
            setTimeout(() => self.end('crashed'), 20);
            return isProven;
          };
          self.events.push({ kind: 'session', sessionId: 's-1' });
          self.events.push(question);
        },
        works,
      ],
      async () => transcript,
    );
    const conducting = { ledger: stage.ledger, driver, setup, patience };
    const running = startRun(conducting, wanted(stage.projectId));
    const id = await answerIt(stage);
    const { run, end } = await running;
    expect(end.reason).toBe('ok');
    const [row] = await stage.ledger.runs.questions(stage.projectId, run.id);
    expect(row).toMatchObject({ id, status: 'delivered' });
    return sent.map((each) => each.map((one) => one.id === id));
  }

  test('a delivered answer that the transcript does not have is sent again', async () => {
    expect(await dies(true, has('another'))).toEqual([[true]]);
  });

  test('an answer that the transcript has is not sent again, and counts as delivered', async () => {
    expect(await dies(false, has('toolu_1'))).toEqual([[]]);
  });

  test('a sent answer counts as delivered only with proof', async () => {
    const stage = await openStage();
    const dead = (self: Self) => {
      self.events.push({ kind: 'text', text: 'I react.' });
      setTimeout(() => self.end('stopped'), 20);
    };
    const asks = (self: Self) => {
      self.answer = async () => false;
      self.events.push({ kind: 'session', sessionId: 's-1' });
      self.events.push(question);
      void answerIt(stage).then(() => self.end('stopped'));
    };
    const { driver } = puppetDriver([asks, dead, dead], undefined, [undefined, false, true]);
    const conducting = { ledger: stage.ledger, driver, setup, patience };
    const { run } = await startRun(conducting, wanted(stage.projectId));
    const status = async () => (await stage.ledger.runs.questions(stage.projectId, run.id))[0]?.status;
    await resumeRun(conducting, stage.projectId, run.id);
    expect(await status()).toBe('answered');
    await resumeRun(conducting, stage.projectId, run.id);
    expect(await status()).toBe('delivered');
  });
});
