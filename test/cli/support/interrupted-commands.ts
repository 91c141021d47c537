import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Notification } from '../../../src/schema/notification.ts';
import type { RealCliName } from '../../agents/clis/real-cli.ts';
import { PLAN } from '../../plan/convert/support/plans.ts';
import { type Result, type Running, spawnFermata, startFermata } from '../../support/fermata.ts';
import type { Outage } from '../../support/model/outages.ts';
import { call, makeWorktree, planProject } from '../../work/support/plan-project.ts';
import { commit } from '../../work/support/repository.ts';
import { EXAMPLES, PLAN as LIBRARY_PLAN } from '../plan-from-issues/support/place.ts';
import { planRepository } from '../run/support/plan-repository.ts';
import { type FailingModel, failingModel } from './failing-model.ts';
import { killBoth, Person, signalAgent, tick, until } from './person.ts';

const TWICE = '401, and 500 during the resume';
const BESIDE = '500 for a sub-agent';

/** What comes between a question and the agent's last word. */
export type Way =
  | Outage
  | typeof TWICE
  | typeof BESIDE
  | 'kill -9 of the agent'
  | 'kill -9 of the agent and of Fermata';

/** A session that was killed later than this after it began is on disk. */
const SAVED_MS = 1500;

interface RoleCommand {
  command: string[];
  input: string[];
  lastWord: object;
}

const phase = {
  title: 'Tables',
  tasks: ['One step'],
  gates: [{ name: 'tests', command: 'node --test' }],
  criteria: ['It works'],
};
const ROLES: Record<string, RoleCommand> = {
  feedback: {
    command: ['feedback', 'add'],
    input: ['It forgets my filters'],
    lastWord: { category: 'ux', summary: 'Kept.', tasks: [{ title: 'Keep the filters' }] },
  },
  prd: {
    command: ['prd', 'update'],
    input: ['goals', 'It must work offline'],
    lastWord: { content: 'Sell offline.', summary: 'Offline.' },
  },
  plan: {
    command: ['plan', 'decompose'],
    input: ['A shop'],
    lastWord: { title: 'Shop', phases: [phase] },
  },
};

/** Those whose agent writes a plan, and asks nobody. The same command resumes them. */
const PLANNING: Record<string, { args: string[]; lastWord: string; exitCode: number }> = {
  convert: { args: ['convert', 'shop.md'], lastWord: PLAN, exitCode: 0 },
  // The plan is written, and people are asked what the issues leave open.
  'plan-from-issues': {
    args: ['plan-from-issues', '--from-dir', 'issues'],
    lastWord: LIBRARY_PLAN,
    exitCode: 3,
  },
};

const COMMANDS = [...Object.keys(ROLES), ...Object.keys(PLANNING), 'run', 'review'];

/** Every command that runs an agent goes on in the same session; `draft` has tests of its own. */
export function describeInterrupted(name: RealCliName, way: Way, commands = COMMANDS): void {
  const only = (...names: string[]) => names.filter((each) => commands.includes(each));
  const roles = only(...Object.keys(ROLES));
  const planning = only(...Object.keys(PLANNING));
  /** Fermata goes on by itself, unless it is killed as well or a person has to look at the key. */
  const isRefused = way === 401 || way === TWICE;
  const continues = !isRefused && way !== 'kill -9 of the agent and of Fermata';
  const outage = outageOf(way);
  const asks = way === BESIDE ? 'beside a sub-agent' : 'once';
  const when = way === BESIDE ? 'while a question is open' : 'after an answer';

  describe(`HEAR-5 ${way} ${when}, with the real ${name}`, () => {
    it.for(roles)('leaves a consultation (%s) that goes on in the same session', async (role, { skip }) => {
      const { command, input, lastWord } = ROLES[role] as RoleCommand;
      const failing = await failingModel(name, skip, JSON.stringify(lastWord), asks, input.at(-1));
      if (way === BESIDE) begin(failing);
      writeFileSync(join(failing.at.cwd, 'PRD.md'), '# Shop\n\n## Goals\n\nSell.\n');
      const running = failing.start(...command, ...input, ...failing.by);
      const person = new Person(await failing.ledger());
      const ended = await interrupted(failing, person, await person.asked(), running);
      const resumeMessage = new RegExp(
        `Nothing is lost\\. Continue with: fermata ${command.join(' ')} --resume \\S+`,
      );
      expectEnd(ended, resumeMessage);
      if (!continues) await expectDone([...command, '--resume'], failing);
      await expectOneSession(failing, person);
    });

    it.for(only('run'))('leaves a %s whose agent goes on in the same session', async (_, { skip }) => {
      const lastWord = '{"status":"success","summary":"Greeted."}';
      const failing = await failingModel(name, skip, lastWord, asks, 'what you did, in a sentence');
      if (way === BESIDE) begin(failing);
      const { cwd, at } = planRepository([{ id: '1', gate: 'test -d plans' }], failing.at.env);
      const env = { ...at.env, FERMATA_HOME: failing.at.env.FERMATA_HOME, FERMATA_PROJECT: undefined };
      const inside = { ...at, cwd, env };
      const running = startFermata(['run', 'plans/shop', '--wait', ...failing.by], inside);
      running.child.stdin?.end();
      const person = new Person(await failing.ledger());
      const ended = await interrupted(failing, person, await person.asked(), running);
      const resumeMessage = /All sessions are kept\. Resume with: fermata run --resume .+plans\/shop/;
      expectEnd(ended, resumeMessage);
      if (!continues) await expectDone(['run', '--resume', 'plans/shop'], failing, inside);
      await expectOneSession(failing, person);
    });

    it.for(planning)('leaves a plan (%s) that goes on in the same session', async (command, { skip }) => {
      const { args, lastWord, exitCode } = PLANNING[command] as (typeof PLANNING)[string];
      const failing = await failingModel(name, skip, lastWord, 'never');
      writeFileSync(join(failing.at.cwd, 'shop.md'), '# Shop\n\nA shop.\n');
      cpSync(join(EXAMPLES, 'issues'), join(failing.at.cwd, 'issues'), { recursive: true });
      begin(failing);
      const running = failing.start(...args, ...failing.by);
      if (outage === undefined) await killedAtWork(failing, running, failing.at.cwd);
      const ended = await running.ended;
      expectEnd(ended, /Run the same command again to resume\./, exitCode);
      if (!continues) await expectDone([...args, ...failing.by], failing, failing.at, exitCode);
      const person = new Person(await failing.ledger());
      expect(await person.runs()).toMatchObject([{ sessionId: expect.any(String), status: 'ended' }]);
      expect(JSON.stringify(failing.requests.at(-1))).toContain('The session was interrupted.');
    });

    it.for(only('review'))('leaves a %s that goes on in the same session', async (_, { skip }) => {
      const failing = await failingModel(name, skip, '{"verdict":"passed"}', 'never');
      const project = planProject([{ id: '1' }]);
      const main = { ...project, env: { ...failing.at.env, ...project.env }, limitMs: failing.at.limitMs };
      const branch = 'feat/shop--implementation-1';
      await call(main, 'plan', 'start-prompt', '1', '--specialist', 'be', '--worktree', branch);
      const worktree = { ...main, ...makeWorktree(main, branch) };
      commit(worktree.cwd, 'work', { 'done.txt': 'written\n' });
      const review = ['review', '1', ...failing.by];
      begin(failing);
      const running = startFermata(review, worktree);
      if (outage === undefined) await killedAtWork(failing, running, worktree.cwd);
      const ended = await running.ended;
      if (isRefused) {
        expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([
          4,
          {
            error: {
              type: 'agent_failed',
              suggestion: 'Its session is kept. Resume it with: fermata review 1',
            },
          },
        ]);
      }
      if (way === TWICE) failing.fail(500, 1);
      const { code, stdout } = continues ? ended : await spawnFermata(review, worktree);
      expect([code, JSON.parse(stdout)]).toMatchObject([0, { data: { verdict: 'passed' } }]);
      const last = JSON.stringify(failing.requests.at(-1));
      expect(last).toContain('The session was interrupted.');
      expect(last).toContain('+written');
    });
  });

  async function interrupted(
    failing: FailingModel,
    person: Person,
    asked: Notification,
    running: Running,
  ): Promise<Result> {
    if (way === BESIDE) await until(async () => failing.failures() || undefined, 20);
    else begin(failing);
    await person.answer(asked);
    if (outage !== undefined) return running.ended;
    await person.delivered(asked);
    const [run] = await person.runs();
    await killed(failing, running, run?.cwd ?? failing.at.cwd);
    return running.ended;
  }

  /** The model is silent for an agent that is killed, so that it is alive until then. */
  function begin(failing: FailingModel): void {
    if (outage === undefined) failing.hold(true);
    // Claude Code 2.1.197 requests a truncated reply again by itself, in one piece.
    else failing.fail(outage, outage === 'truncated' ? 2 : 1);
  }

  async function killedAtWork(failing: FailingModel, running: Running, cwd: string): Promise<void> {
    await until(async () => failing.requests[0], 20);
    await tick(SAVED_MS);
    await killed(failing, running, cwd);
  }

  async function killed(failing: FailingModel, running: Running, cwd: string): Promise<void> {
    if (continues) signalAgent('SIGKILL', running, cwd);
    else await killBoth(running, cwd);
    failing.hold(false);
  }

  function expectEnd({ code, stderr }: Result, resumeMessage: RegExp, done = 0): void {
    if (isRefused) expect([code, stderr]).toEqual([4, expect.stringMatching(resumeMessage)]);
    if (!continues) return;
    expect(code, stderr).toBe(done);
    // What fails for a sub-agent does not end the agent.
    if (way !== BESIDE) expect(stderr.match(RETRIES)).toHaveLength(1);
  }

  async function expectDone(
    args: string[],
    failing: FailingModel,
    at: Parameters<typeof spawnFermata>[1] = failing.at,
    done = 0,
  ): Promise<void> {
    if (way === TWICE) failing.fail(500, 1);
    const { code, stderr } = await spawnFermata(args, at);
    expect(code, stderr).toBe(done);
    expect(stderr.match(RETRIES)?.length ?? 0).toBe(way === TWICE ? 1 : 0);
  }
}

const RETRIES = /The session is kept; Fermata will retry\./g;

function outageOf(way: Way): Outage | undefined {
  switch (way) {
    case TWICE:
      return 401;
    case BESIDE:
      return 500;
    case 'kill -9 of the agent':
    case 'kill -9 of the agent and of Fermata':
      return undefined;
    default:
      return way;
  }
}

async function expectOneSession(failing: FailingModel, person: Person): Promise<void> {
  expect(await person.runs()).toMatchObject([{ sessionId: expect.any(String), status: 'ended' }]);
  expect(await person.rows()).toMatchObject([{ status: 'delivered' }]);
  expect([failing.asks(), failing.answers()]).toEqual([1, 1]);
}
