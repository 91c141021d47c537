import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Notification } from '../../src/schema/notification.ts';
import { ScenarioBuilder } from '../../src/testing.ts';
import { EXAMPLES, PLAN as LIBRARY_PLAN, QUESTIONS } from '../cli/plan-from-issues/support/place.ts';
import { answering } from '../cli/support/convert-place.ts';
import { request } from '../hub/support/hub.ts';
import { BAD_PLAN, MASTER, PLAN, phase } from '../plan/convert/support/plans.ts';
import { freshFolder, startFermata } from '../support/fermata.ts';
import { call, makeWorktree, planProject } from '../work/support/plan-project.ts';
import { commit } from '../work/support/repository.ts';

const PATIENCE_MS = 60_000;

interface Work {
  cwd: string;
  env?: Record<string, string | undefined>;
  scenario: ScenarioBuilder;
  /** Its address below the project, and what starts it. */
  path: string;
  body: object;
  /** Where the hub dies, one entry per start. */
  points: string[];
  /** How often an agent is started in total. */
  invocations: number;
  /** How many questions a person gets. */
  asked: number;
  /** The text that the result has. */
  result(shown: Record<string, unknown>): string;
}

/** From the last answer of an agent that writes a plan until the plan is in its folder. */
const WRITING = ['run.ended', 'attempt.judged', 'assignment.judged', 'plan.staged'];
const SENT_BACK = ['run.ended', 'attempt.judged', 'assignment.judged', 'assignment.sent-back'];

const master = (cwd: string, plan: string) => {
  const file = join(cwd, 'plans', plan, 'MASTER_PLAN.md');
  return existsSync(file) ? readFileSync(file, 'utf8') : 'There is no plan.';
};

const kinds: Record<string, () => Work | Promise<Work>> = {
  'a conversion': () => {
    const cwd = freshFolder();
    return {
      cwd,
      scenario: answering([BAD_PLAN, PLAN]),
      path: '/plans/shop/conversion',
      body: { text: '# Shop\n\nBuild a shop in two steps.\n', agent: 'scripted' },
      points: [...SENT_BACK, ...WRITING, 'plan.ready', 'assignment.used'],
      invocations: 2,
      asked: 0,
      result: () => master(cwd, 'shop'),
    };
  },
  'a draft with a question': () => {
    const cwd = freshFolder();
    return {
      cwd,
      scenario: new ScenarioBuilder()
        .withSessionId('session-1')
        .asksQuestions([{ id: 'db', question: 'Which database?' }])
        .respondsWithText(`${MASTER}\n${phase('{{answer:db}}')}`),
      path: '/plans/shop/draft',
      body: { idea: 'A shop', adaptive: true, agent: 'scripted' },
      points: [
        'run.started',
        'create.inserted',
        'create.held',
        'answer.stored',
        ...WRITING,
        'plan.between',
        'plan.placed',
        'assignment.used',
      ],
      invocations: Number.NaN,
      asked: 1,
      result: () => master(cwd, 'shop') + readFileSync(join(cwd, 'plans/shop/phase-1.md'), 'utf8'),
    };
  },
  'a plan from issues': () => {
    const cwd = freshFolder('library');
    cpSync(join(EXAMPLES, 'issues'), join(cwd, 'issues'), { recursive: true });
    return {
      cwd,
      scenario: answering(['No plan.', LIBRARY_PLAN]),
      path: '/plans/library/from-issues',
      body: { fromDir: 'issues', agent: 'scripted' },
      points: [
        'create.inserted',
        'create.held',
        'answer.stored',
        ...SENT_BACK,
        ...WRITING,
        'plan.between',
        'plan.placed',
        'assignment.used',
      ],
      invocations: 2,
      asked: QUESTIONS,
      result: () => master(cwd, 'library'),
    };
  },
  'a review': async () => {
    const main = planProject([{ id: '1' }]);
    const branch = 'feat/shop--implementation-1';
    await call(main, 'plan', 'start-prompt', '1', '--specialist', 'be', '--worktree', branch);
    commit(makeWorktree(main, branch).cwd, 'work', { 'done.txt': 'x\n' });
    return {
      ...main,
      scenario: answering(['Looks good.', '{"verdict":"changes","thoughts":"As the hub says"}']),
      path: '/plans/shop/phases/1/review',
      body: { agent: 'scripted' },
      points: [
        'run.ended',
        'assignment.judged',
        'assignment.sent-back',
        'run.ended',
        'review.answered',
        'assignment.used',
      ],
      invocations: 2,
      asked: 0,
      result: ({ review }) => JSON.stringify(review),
    };
  },
};

test.for(Object.entries(kinds))(
  'CRASH HUB-1 the hub is killed at each step of %s: the same request resumes it, and nothing is asked or requested twice',
  { timeout: 300_000 },
  async ([kind, place]) => {
    const work = await place();
    const handle = work.scenario.build();
    onTestFinished(() => handle.remove());
    const home = join(work.cwd, '..', 'home');
    const env = { FERMATA_HOME: home, ...work.env, ...handle.env };
    let paid = 0;
    for (const point of work.points) {
      const hub = await serve(work, { ...env, FERMATA_CRASH_AT: `${point}=kill` });
      await hub.start().catch(() => undefined); // it may die before it replies
      const shown = await hub.answerUntilEnd();
      expect(shown, `${kind} ended before ${point}: ${JSON.stringify(shown)}`).toEqual({});
      expect((await hub.ended).code).toBe(null);
      if (point === 'run.ended') paid = handle.invocations().length;
    }
    const hub = await serve(work, env);
    expect((await hub.start()).status).toBe(201);
    const shown = await hub.answerUntilEnd();
    expect(shown).toMatchObject({ result: 'done', error: null });
    expect(work.result(shown)).toContain(
      work.asked > 0 || kind === 'a review' ? 'As the hub says' : '# Shop',
    );
    expect(handle.invocations(), 'no finished work is requested again').toHaveLength(paid);
    if (!Number.isNaN(work.invocations)) expect(paid).toBe(work.invocations);
    expect(await hub.everAsked(), 'nobody is asked twice').toBe(work.asked);
    hub.child.kill('SIGINT');
    expect((await hub.ended).code).toBe(0);
  },
);

/** The real program on a free port, and what a person does with it. */
async function serve({ cwd, path, body }: Work, env: Record<string, string | undefined>) {
  const running = startFermata(['serve', '--port', '0', '--format', 'json'], { cwd, env });
  const [line = ''] = (await running.shows(/\n/)).split('\n');
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  const send = (method: string, at: string, data?: unknown) =>
    request(url + at, method, data, { authorization: `Bearer ${token}` });
  const { id } = (await send('GET', '/projects')).body.data[0];
  const at = `/projects/${id}`;
  let isOver = false;
  void running.ended.then(() => {
    isOver = true;
  });
  const answerAll = async () => {
    const open: Notification[] = (await send('GET', `${at}/notifications`)).body.data;
    for (const { id: notification, questions } of open) {
      const responses = questions.map((question) => ({ questionId: question.id, answer: 'As the hub says' }));
      await send('PATCH', `${at}/notifications/${notification}`, { responses });
    }
  };
  return {
    ...running,
    start: () => send('POST', at + path, body),
    /** Answers whatever is asked, until the work or the hub has ended. */
    async answerUntilEnd(): Promise<Record<string, unknown>> {
      for (const end = Date.now() + PATIENCE_MS; Date.now() < end && !isOver; await sleep(100)) {
        try {
          const { data } = (await send('GET', at + path)).body;
          if (data.result !== null) return data;
          await answerAll();
        } catch (error) {
          if (!isOver) await Promise.race([running.ended, sleep(5000)]);
          if (!isOver) throw error;
        }
      }
      return {};
    },
    async everAsked(): Promise<number> {
      return (await send('GET', `${at}/notifications?status=all`)).body.data.length;
    },
  };
}
