import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { ScenarioBuilder } from '../../../src/testing.ts';
import { EXAMPLES, PLAN as LIBRARY, QUESTIONS } from '../../cli/plan-from-issues/support/place.ts';
import { planRepository } from '../../cli/run/support/plan-repository.ts';
import { says } from '../../cli/support/role-place.ts';
import { taskPlace } from '../../cli/support/task-place.ts';
import { BAD_PLAN, MASTER, PLAN, phase } from '../../plan/convert/support/plans.ts';
import { fermata, freshFolder } from '../../support/fermata.ts';
import { call, makeWorktree, planProject } from '../../work/support/plan-project.ts';
import { commit, sh } from '../../work/support/repository.ts';

/** A kind of work, as the crash matrix sees it. */
export interface Kind {
  /** Makes a project where it can be submitted; returns its folder. */
  prepare(env: Env): string | Promise<string>;
  agent(): ScenarioBuilder;
  /** What a person submits; without it, the task is there already. */
  request?: { kind: string; input: object };
  /** The kind of the task that does the work, if another one is submitted. */
  doneBy?: string;
  /** Each crash point that it passes, in order. */
  points: string[];
  /** Those at which `npm test` kills it, all in one life: each point for one of the kinds. */
  briefly: string[];
  /** How many questions a person gets, besides approvals. */
  asked: number;
  /** How often the agent answers if no answer is lost. */
  answers: number;
  /** What was done in the project: everything that a second time would show in. */
  done(cwd: string, ledger: Ledger, project: string): unknown;
  /** The same after it was done once. */
  once: unknown;
}

/** Added to the environment of every program. */
export type Env = Record<string, string>;

/** What a person answers. */
export const ANSWER = 'As the hub says';

const SUCCESS = '{"status":"success","summary":"done"}';
const ASKS = JSON.stringify({ open_questions: [{ id: 'q', text: 'Which page?' }] });

/** An agent that asks while it works. If its process dies when it has the answer, it does the rest again. */
const asking = (works: (agent: ScenarioBuilder) => ScenarioBuilder) => {
  const agent = new ScenarioBuilder().forEachSession();
  const first = works(agent.asksQuestions([{ id: 'db', question: 'Which database?' }]));
  return works(first.nextInvocation());
};

/** An agent that gives one answer, and from then on the other. */
const rounds = (first: string, last: string) => says(first, last, last, last);

/** One question about the last of the sample issues; the rest is complete. */
const JUDGED = JSON.stringify({
  issues: [1, 2, 3, 4, 5, 6, 7, 8].map((number) => ({
    number,
    gaps: number === 8 ? [{ type: 'scope', question: 'Which part?', quote: 'the' }] : [],
    dropped: ['acceptance_criteria', 'validation', 'scope', 'context', 'tech_stack', 'dependencies'].map(
      (type) => ({ type, reason: 'The code shows it.' }),
    ),
  })),
});

const ASKING = ['create.begin', 'create.inserted', 'create.held'];
const ANSWERING = ['answer.begin', 'answer.stored', 'answer.resolved', 'answer.unblocked'];
const HANDING = ['deliver.before', 'deliver.after'];
const JUDGING = ['run.ended', 'attempt.judged', 'assignment.judged'];
const WRITING = ['plan.file', 'plan.staged', 'plan.ready', 'plan.between', 'plan.placed'];
const KEEPING = ['run.said', 'work.committed', 'run.kept', 'run.ended'];
const WORKING = ['run.started', ...ASKING, ...ANSWERING, ...HANDING, ...KEEPING, 'record.appended'];
const ROLE = ['run.started', 'run.ended', 'assignment.judged', ...ASKING, ...ANSWERING];
const MERGING = ['merge.committed', 'merge.recorded', 'merge.moved', 'merge.finished', 'complete.closed'];

/** The folders beside the plan, none of which may be left over, and its phases. */
const plan = (cwd: string, name = 'shop') => ({
  folders: readdirSync(join(cwd, 'plans')),
  files: readdirSync(join(cwd, 'plans', name)).sort(),
});
const written = { folders: ['shop'], files: ['MASTER_PLAN.md', 'phase-1.md'] };

/** Everything that was ever merged into the branch, and a file that the agent wrote. */
const merged = (cwd: string, branch: string) => ({
  merges: sh(cwd, 'log', '--merges', '--format=%s', branch).split('\n'),
  content: sh(cwd, 'show', `${branch}:made.txt`),
});

export const kinds: Record<string, Kind> = {
  draft: {
    prepare: () => freshFolder(),
    agent: () => asking((agent) => agent.respondsWithText(`${MASTER}\n${phase('{{answer:db}}')}`)),
    request: { kind: 'draft', input: { plan: 'plans/shop', idea: 'A shop', adaptive: true } },
    points: [
      'run.started',
      ...ASKING,
      ...ANSWERING,
      ...HANDING,
      ...JUDGING,
      ...WRITING,
      'assignment.used',
      'task.finishing',
    ],
    briefly: ['create.held', 'deliver.after', 'plan.placed', 'task.finishing'],
    asked: 1,
    answers: 1,
    done: (cwd) => ({
      ...plan(cwd),
      title: readFileSync(join(cwd, 'plans/shop/phase-1.md'), 'utf8').split('\n')[0],
    }),
    once: { ...written, title: `# Phase 1: ${ANSWER}` },
  },
  convert: {
    prepare: () => freshFolder(),
    agent: () => rounds(BAD_PLAN, PLAN),
    request: {
      kind: 'convert',
      input: { plan: 'plans/shop', text: '# Shop\n\nBuild a shop in two steps.\n' },
    },
    points: [
      'run.started',
      ...JUDGING,
      'assignment.sent-back',
      ...WRITING,
      'assignment.used',
      'task.finishing',
    ],
    briefly: ['write.before-commit#9', 'run.started', 'attempt.judged', 'plan.staged'],
    asked: 0,
    answers: 2,
    done: (cwd) => plan(cwd),
    once: written,
  },
  plan_from_issues: {
    prepare: () => {
      const cwd = freshFolder('library');
      cpSync(join(EXAMPLES, 'issues'), join(cwd, 'issues'), { recursive: true });
      return cwd;
    },
    agent: () => rounds('No plan.', LIBRARY),
    request: { kind: 'plan_from_issues', input: { plan: 'plans/shop', fromDir: 'issues' } },
    points: [
      ...ASKING,
      ...ANSWERING,
      'run.started',
      ...JUDGING,
      'assignment.sent-back',
      ...WRITING,
      'assignment.used',
      'task.finishing',
    ],
    briefly: ['answer.stored', 'assignment.sent-back', 'plan.ready'],
    asked: QUESTIONS,
    answers: 2,
    done: (cwd) => ({
      folders: readdirSync(join(cwd, 'plans')),
      answers: readFileSync(join(cwd, 'plans/shop/MASTER_PLAN.md'), 'utf8').split(`**${ANSWER}**`).length - 1,
    }),
    once: { folders: ['shop'], answers: QUESTIONS },
  },
  analyze: {
    prepare: () => {
      const cwd = freshFolder('library');
      cpSync(join(EXAMPLES, 'issues'), join(cwd, 'issues'), { recursive: true });
      writeFileSync(join(cwd, 'fermata.config.json'), '{"analysis":"agent"}\n');
      return cwd;
    },
    agent: () => says('No judgement.', JUDGED, LIBRARY, LIBRARY, LIBRARY),
    request: { kind: 'plan_from_issues', input: { plan: 'plans/shop', fromDir: 'issues' } },
    doneBy: 'plan_from_issues',
    points: [
      'run.started',
      'run.ended',
      'assignment.judged',
      'assignment.sent-back',
      'analysis.kept',
      'assignment.used',
    ],
    briefly: ['analysis.kept'],
    asked: 1,
    answers: 3,
    done: async (cwd, ledger, project) => ({
      folders: readdirSync(join(cwd, 'plans')),
      judged: (await ledger.tasks.list(project, { kinds: ['analyze'] })).map(({ status }) => status),
    }),
    once: { folders: ['shop'], judged: ['closed'] },
  },
  feedback: {
    prepare: () => freshFolder(),
    agent: () => rounds(ASKS, '{"category":"ux","summary":"Kept.","tasks":[{"title":"Keep the filters"}]}'),
    request: { kind: 'feedback', input: { text: 'The search forgets my filters' } },
    points: [...ROLE, 'task.finishing'],
    briefly: ['create.begin', 'answer.resolved'],
    asked: 1,
    answers: 2,
    done: async (_, ledger, project) => (await ledger.tasks.list(project)).map(({ title }) => title),
    once: ['Keep the filters'],
  },
  prd: {
    prepare: () => {
      const cwd = freshFolder();
      writeFileSync(join(cwd, 'PRD.md'), '# Shop\n\n## Goals\n\nSell.\n');
      return cwd;
    },
    agent: () => rounds(ASKS, '{"content":"Sell offline, too.","summary":"It works offline."}'),
    request: { kind: 'prd', input: { text: 'It must work offline', section: 'Goals' } },
    points: [...ROLE, 'task.finishing'],
    briefly: ['create.inserted', 'answer.begin', 'answer.unblocked'],
    asked: 1,
    answers: 2,
    done: (cwd) => readFileSync(join(cwd, 'PRD.md'), 'utf8'),
    once: '# Shop\n\n## Goals\n\nSell offline, too.\n',
  },
  decompose: {
    prepare: () => freshFolder(),
    agent: () =>
      rounds(
        ASKS,
        JSON.stringify({
          title: 'Shop',
          phases: [
            {
              title: 'Start',
              tasks: ['One'],
              gates: [{ name: 't', command: 'node --test' }],
              criteria: ['It works'],
            },
          ],
        }),
      ),
    request: { kind: 'decompose', input: { text: 'A shop', output: 'plans/shop' } },
    points: [...ROLE, ...WRITING, 'task.finishing'],
    briefly: ['run.ended', 'plan.file', 'plan.between'],
    asked: 1,
    answers: 2,
    done: (cwd) => plan(cwd),
    once: written,
  },
  review: {
    prepare: async (env) => {
      const at = planProject([{ id: '1' }]);
      const main = { ...at, env: { ...at.env, ...env } };
      const branch = 'feat/shop--implementation-1';
      await call(main, 'plan', 'start-prompt', '1', '--specialist', 'be', '--worktree', branch);
      commit(makeWorktree(main, branch).cwd, 'work', { 'done.txt': 'x\n' });
      return main.cwd;
    },
    agent: () => rounds('Looks good.', '{"verdict":"changes","thoughts":"Name it."}'),
    request: { kind: 'review', input: { reviews: 'shop/1' } },
    points: [
      'run.started',
      'run.ended',
      'assignment.judged',
      'assignment.sent-back',
      'review.answered',
      'assignment.used',
      'task.finishing',
    ],
    briefly: ['write.after-commit#12', 'assignment.judged', 'review.answered', 'assignment.used'],
    asked: 0,
    answers: 2,
    done: async (_, ledger, project) => ({
      said: (await ledger.tasks.chat(project, 'review:shop:1')).length,
      verdicts: (await ledger.phases.list(project, 'shop/1')).flatMap(({ kind, data }) =>
        kind === 'review' ? [data.verdict] : [],
      ),
    }),
    once: { said: 1, verdicts: ['changes'] },
  },
  phase: {
    prepare: async (env) => {
      const { cwd, at } = planRepository([{ id: '1', gate: 'test -f made.txt' }], env);
      await fermata(['plan', 'read-prompt', '1', '--plan', 'plans/shop'], at); // trusts the plan
      return cwd;
    },
    agent: () => asking((agent) => agent.writesFile('made.txt', '{{answer:db}}\n').respondsWithText(SUCCESS)),
    request: { kind: 'run', input: { plan: 'plans/shop' } },
    doneBy: 'phase',
    points: [
      'worktree.begin',
      'worktree.made',
      'worktree.recorded',
      'start.tasks',
      'start.taken',
      'start.recorded',
      ...WORKING,
      ...MERGING,
      'assignment.judged',
    ],
    briefly: [
      'worktree.recorded',
      'start.tasks',
      'start.taken',
      'deliver.before',
      'run.said',
      'run.kept',
      'record.appended',
      'merge.recorded',
      'merge.finished',
    ],
    asked: 1,
    answers: 1,
    done: (cwd) => merged(cwd, 'work'),
    once: { merges: ["Merge branch 'work--shop--implementation-1' into work"], content: ANSWER },
  },
  task: {
    prepare: async (env) => {
      const place = taskPlace({ invocations: [{ steps: [] }] }, { env, checks: ['test -f made.txt'] });
      await place.cli('tasks', 'add', 'Greet', '--id', 'greet', '--body', 'Write a greeting.');
      return place.cwd;
    },
    agent: () => asking((agent) => agent.writesFile('made.txt', '{{answer:db}}\n').respondsWithText(SUCCESS)),
    points: [
      'worktree.begin',
      'worktree.made',
      'worktree.recorded',
      'start.recorded',
      ...WORKING,
      'assignment.judged',
      ...MERGING,
    ],
    briefly: [
      'worktree.begin',
      'worktree.made',
      'start.recorded',
      'work.committed',
      'merge.committed',
      'merge.moved',
      'complete.closed',
    ],
    asked: 1,
    answers: 1,
    done: (cwd) => merged(cwd, 'main'),
    once: { merges: ["Merge branch 'main--task-greet' into main"], content: ANSWER },
  },
};
