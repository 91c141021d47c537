import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Notification } from '../../../src/schema/notification.ts';
import type { RealCliName } from '../../agents/clis/real-cli.ts';
import { PLAN } from '../../plan/convert/support/plans.ts';
import { type Result, type Running, spawnFermata, startFermata } from '../../support/fermata.ts';
import { OUTAGES, type Outage } from '../../support/model/outages.ts';
import { call, makeWorktree, planProject } from '../../work/support/plan-project.ts';
import { commit } from '../../work/support/repository.ts';
import { EXAMPLES, PLAN as LIBRARY_PLAN } from '../plan-from-issues/support/place.ts';
import { planRepository } from '../run/support/plan-repository.ts';
import { type FailingModel, failingModel } from './failing-model.ts';
import { killBoth, Person, signalAgent, tick, until } from './person.ts';

/** When an agent is interrupted. In the last two, something else ends it first: a refused key, or a kill. */
const MOMENTS = [
  'while a question is open',
  'after an answer',
  'during the resume after a refused key',
  'during the resume after a kill',
] as const;
type Moment = (typeof MOMENTS)[number];

const KILL_BOTH = 'kill -9 of the agent and of Fermata';
const KILLS = ['kill -9 of the agent', KILL_BOTH] as const;
type Kill = (typeof KILLS)[number];
type Interruption = Outage | Kill;

/** A session killed later than this after its start is on disk. */
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

/** Commands whose agent writes a plan and asks nobody. The same command resumes them. */
const PLANNING: Record<string, { args: string[]; lastWord: string; exitCode: number }> = {
  convert: { args: ['convert', 'shop.md'], lastWord: PLAN, exitCode: 0 },
  // Writes a plan, and asks people what the issues leave open.
  'plan-from-issues': {
    args: ['plan-from-issues', '--from-dir', 'issues'],
    lastWord: LIBRARY_PLAN,
    exitCode: 3,
  },
};

const COMMANDS = [...Object.keys(ROLES), ...Object.keys(PLANNING), 'run', 'review'];
/** The roles share one loop, and so do the commands that write a plan. */
const ONE_OF_EACH = ['feedback', 'run', 'review'];

/**
 * Every outage at every moment, and every kill. A refused key and a kill of everything are tried with every
 * command.
 */
export const INTERRUPTIONS = MOMENTS.flatMap((when) => {
  const isAnswered = when === 'after an answer';
  return [...OUTAGES, ...(isAnswered ? KILLS : [])].map((what) => {
    const isForAll = isAnswered && (what === 401 || what === KILL_BOTH);
    return { what, when, commands: isForAll ? COMMANDS : ONE_OF_EACH };
  });
});

/** A command at work, and how it ends. */
interface Scene {
  failing: FailingModel;
  running: Running;
  /** The command that resumes it. */
  resume: string[];
  at: { cwd: string; env: Record<string, string | undefined>; limitMs?: number };
  /** What the program says about that command when the model refuses. */
  hint: RegExp;
  exitCode?: number;
}

/** Every command that runs an agent continues in the same session; `draft` has its own tests. */
export function describeInterrupted(
  name: RealCliName,
  { what, when, commands }: { what: Interruption; when: Moment; commands: readonly string[] },
): void {
  const only = (...names: string[]) => names.filter((each) => commands.includes(each));
  const isBeside = when === 'while a question is open';
  const asks = isBeside ? 'beside a sub-agent' : 'once';
  const { first, resuming } = sequenceOf(what, when);
  /** Fermata continues by itself, unless it is killed as well or a person must fix the key. */
  const continues = isBeside || !(first === 401 || first === KILL_BOTH);

  describe(`HEAR-5 ${what} ${when}, with the real ${name}`, () => {
    it.for(only(...Object.keys(ROLES)))(
      'leaves a consultation (%s) that continues in the same session',
      async (role, { skip }) => {
        const { command, input, lastWord } = ROLES[role] as RoleCommand;
        const failing = await failingModel(name, skip, JSON.stringify(lastWord), asks, input.at(-1));
        writeFileSync(join(failing.at.cwd, 'PRD.md'), '# Shop\n\n## Goals\n\nSell.\n');
        if (isBeside) fail(failing, what);
        const running = failing.start(...command, ...input, ...failing.by);
        const hint = new RegExp(
          `Nothing is lost\\. Continue with: fermata ${command.join(' ')} --resume \\S+`,
        );
        await expectOneSession({ failing, running, resume: [...command, '--resume'], at: failing.at, hint });
      },
    );

    it.for(only('run'))('leaves a %s whose agent goes on in the same session', async (_, { skip }) => {
      const lastWord = '{"status":"success","summary":"Greeted."}';
      const failing = await failingModel(name, skip, lastWord, asks, 'what you did, in a sentence');
      const { cwd, at } = planRepository([{ id: '1', gate: 'test -d plans' }], failing.at.env);
      const env = { ...at.env, FERMATA_HOME: failing.at.env.FERMATA_HOME, FERMATA_PROJECT: undefined };
      const inside = { ...at, cwd, env };
      if (isBeside) fail(failing, what);
      const running = startFermata(['run', 'plans/shop', '--wait', ...failing.by], inside);
      running.child.stdin?.end();
      const hint = /All sessions are kept\. Resume with: fermata run --resume .+plans\/shop/;
      const resume = ['run', '--resume', 'plans/shop'];
      await expectOneSession({ failing, running, resume, at: inside, hint });
    });

    it.for(only(...Object.keys(PLANNING)))(
      'leaves a plan (%s) that continues in the same session',
      async (command, { skip }) => {
        const { args, lastWord, exitCode } = PLANNING[command] as (typeof PLANNING)[string];
        const failing = await failingModel(name, skip, lastWord, 'never');
        writeFileSync(join(failing.at.cwd, 'shop.md'), '# Shop\n\nA shop.\n');
        cpSync(join(EXAMPLES, 'issues'), join(failing.at.cwd, 'issues'), { recursive: true });
        fail(failing, first);
        const resume = [...args, ...failing.by];
        const running = failing.start(...resume);
        const hint = /Run the same command again to resume\./;
        await expectResumedAtWork({ failing, running, resume, at: failing.at, hint, exitCode });
        const person = new Person(await failing.ledger());
        expect(await person.runs()).toMatchObject([{ sessionId: expect.any(String), status: 'ended' }]);
      },
    );

    it.for(only('review'))('leaves a %s that goes on in the same session', async (_, { skip }) => {
      const failing = await failingModel(
        name,
        skip,
        '{"verdict":"passed"}',
        isBeside ? asks : 'never',
        'Review another',
      );
      const project = planProject([{ id: '1' }]);
      const main = { ...project, env: { ...failing.at.env, ...project.env }, limitMs: failing.at.limitMs };
      const branch = 'feat/shop--implementation-1';
      await call(main, 'plan', 'start-prompt', '1', '--specialist', 'be', '--worktree', branch);
      const at = { ...main, ...makeWorktree(main, branch) };
      commit(at.cwd, 'work', { 'done.txt': 'written\n' });
      const resume = ['review', '1', ...failing.by];
      fail(failing, first);
      const running = startFermata(resume, at);
      const hint = /"agent_failed"[\s\S]*Its session is kept\. Resume it with: fermata review 1/;
      const { stdout } = await expectResumedAtWork({ failing, running, resume, at, hint });
      expect(JSON.parse(stdout)).toMatchObject({ data: { verdict: 'passed' } });
      expect(JSON.stringify(failing.requests.at(-1))).toContain('+written');
    });
  });

  /** The model is silent for an agent that will be killed, so that it is alive until then. */
  function fail(failing: FailingModel, how: Interruption): void {
    if (isKill(how)) failing.hold(true);
    // Claude Code 2.1.197 requests a truncated reply again by itself, in one piece.
    else failing.fail(how, how === 'truncated' ? 2 : 1);
  }

  /** One agent asks once, is interrupted, gets the answer once, and ends in its first session. */
  async function expectOneSession(scene: Scene): Promise<void> {
    const { failing } = scene;
    const person = new Person(await failing.ledger());
    const asked = await person.asked();
    const [run] = await person.runs();
    await interrupt(scene, person, asked, run?.cwd ?? failing.at.cwd);
    await expectFinished(scene);
    expect(await person.runs()).toMatchObject([{ id: run?.id, sessionId: run?.sessionId, status: 'ended' }]);
    expect(await person.rows()).toMatchObject([{ id: asked.id, status: 'delivered' }]);
    expect([failing.asks(), failing.answers()]).toEqual([1, 1]);
  }

  async function interrupt(scene: Scene, person: Person, asked: Notification, cwd: string): Promise<void> {
    const { failing } = scene;
    if (when === 'during the resume after a kill') {
      await tick(SAVED_MS);
      await killed(scene, cwd);
      await person.answer(asked);
      return;
    }
    if (isBeside) await until(async () => failing.failures() || undefined, 20);
    else fail(failing, first);
    await person.answer(asked);
    if (!isKill(first)) return;
    await person.delivered(asked);
    await killed(scene, cwd);
  }

  /** An agent that asks nobody is interrupted while it works. */
  async function expectResumedAtWork(scene: Scene): Promise<Result> {
    const { failing, at } = scene;
    if (isKill(first)) {
      await until(async () => failing.requests[0], 20);
      await tick(SAVED_MS);
      await killed(scene, at.cwd);
    }
    const finished = await expectFinished(scene);
    if (isBeside) expect(failing.failures()).toBeGreaterThan(0);
    else expect(JSON.stringify(failing.requests.at(-1))).toContain('The session was interrupted.');
    return finished;
  }

  async function killed({ failing, running }: Scene, cwd: string): Promise<void> {
    if (continues) signalAgent('SIGKILL', running, cwd);
    else await killBoth(running, cwd);
    failing.hold(false);
  }

  /** By itself, or by the command that resumes it. */
  async function expectFinished(scene: Scene): Promise<Result> {
    const { failing, running, resume, at } = scene;
    const ended = await running.ended;
    // A sub-agent's failure does not end the agent.
    if (continues) return expectDone(scene, ended, isBeside ? 0 : 1);
    if (first === 401) expectRefused(scene, ended);
    if (resuming === undefined) return expectDone(scene, await spawnFermata(resume, at), 0);
    fail(failing, resuming);
    const resumed = await spawnFermata(resume, at);
    if (resuming !== 401) return expectDone(scene, resumed, 1);
    expectRefused(scene, resumed);
    return expectDone(scene, await spawnFermata(resume, at), 0);
  }
}

const isKill = (what: Interruption): what is Kill => KILLS.some((kill) => kill === what);

/** What ends the agent at first, and what interrupts its resume. */
function sequenceOf(what: Interruption, when: Moment): { first: Interruption; resuming?: Interruption } {
  switch (when) {
    case 'while a question is open':
    case 'after an answer':
      return { first: what };
    case 'during the resume after a refused key':
      return { first: 401, resuming: what };
    case 'during the resume after a kill':
      return { first: KILL_BOTH, resuming: what };
    default:
      return when satisfies never;
  }
}

const RETRIES = /The session is kept; Fermata will retry\./g;

function expectDone({ exitCode = 0 }: Scene, result: Result, retries: number): Result {
  const { code, stdout, stderr } = result;
  expect(code, stdout + stderr).toBe(exitCode);
  expect(stderr.match(RETRIES) ?? []).toHaveLength(retries);
  return result;
}

function expectRefused({ hint }: Scene, { code, stdout, stderr }: Result): void {
  expect([code, stdout + stderr]).toEqual([4, expect.stringMatching(hint)]);
}
