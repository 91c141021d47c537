import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { OPEN_QUESTION } from '../../src/schema/task.ts';
import { seenContent } from '../../src/work/gates/seen-content.ts';
import type { OpenWorktree } from '../../src/work/worktrees/open-worktree.ts';
import { rolePlaces } from '../ledger/support/role-places.ts';
import { PLAN } from '../plan/convert/support/plans.ts';
import { environment, fermata } from '../support/fermata.ts';
import { call, makeWorktree, type PlanProject, planProject } from '../work/support/plan-project.ts';
import { commit, sh, write } from '../work/support/repository.ts';
import { startWorkerIn, until } from '../work/worker/support/worker-place.ts';

const DONE = '{"status":"success","summary":"done"}';
const gates = [{ name: 'tests', command: 'node --test' }];
const phases = [{ title: 'Tables', tasks: ['One'], gates, criteria: ['It works'] }];
const branch = 'feat/shop--implementation-1';

/** A command with --queue, the task that a worker takes, what its agent answers, and what is in the file it pushes. */
type Queued = [words: string[], task: RegExp, answer: string, file?: string, text?: string];

const review: Queued = [['review', '1'], /^review:shop:1$/, '{"verdict":"passed","thoughts":"Fine."}'];

const code: Queued[] = [
  [['run', 'plans/shop', '--no-review', '--skip-audit'], /^shop\/2$/, DONE],
  [['tasks', 'work', 'greet'], /^greet$/, DONE],
  [
    ['feedback', 'add', 'It is slow.'],
    /^feedback:/,
    '{"category":"ux","summary":"Faster.","tasks":[{"title":"Speed up","body":"Now."}]}',
  ],
  [
    ['prd', 'update', 'Goals', 'Sell offline.'],
    /^prd:/,
    '{"content":"All.","summary":"More."}',
    'PRD.md',
    'All.',
  ],
];

const plans: Queued[] = [
  [
    ['plan', 'decompose', 'Do it all.', '--output', 'plans/split'],
    /^decompose:/,
    JSON.stringify({ title: 'Shop', phases }),
    'plans/split/phase-1.md',
    'Tables',
  ],
  [['draft', 'A cart'], /^draft:a-cart$/, PLAN, 'plans/a-cart/phase-1.md', '# Phase 1: Start'],
  [
    ['convert', 'notes.md', '--output', 'plans/c'],
    /^conversion:c$/,
    PLAN,
    'plans/c/phase-1.md',
    '# Phase 1: Start',
  ],
  [
    ['plan-from-issues', '--from-dir', 'issues', '--output', 'plans/i', '--max-questions', '0'],
    /^issues:i$/,
    PLAN.replace('**Depends On:**', '**GitHub Issues:** #7\n**Depends On:**'),
    'plans/i/MASTER_PLAN.md',
    '#7',
  ],
];

const stores: [string, () => Promise<{ store?: string; workerStore?: string }>][] = [
  ['a file', async () => ({})],
  [
    'PostgreSQL, with a role of its own (BIND-24)',
    async () => {
      const { hub, worker } = await rolePlaces();
      return { store: hub, workerStore: worker };
    },
  ],
];

test.each(stores)(
  'TEAM-2 a worker in another home reviews, changes code and requirements, and makes plans, as commands leave it to it: on %s',
  async (_, make) => {
    const { store, workerStore } = await make();
    const { ledger, id } = await doQueued(await shop(store), [review, ...code, ...plans], workerStore);
    const [record] = (await ledger.phases.list(id, 'shop/1')).filter(({ kind }) => kind === 'review');
    const worktree = (await ledger.worktrees.find(id, branch)) as OpenWorktree;
    const content = await seenContent(worktree, 'committed');
    expect(record?.data, 'for what is there').toMatchObject({ verdict: 'passed', content });
    expect((await ledger.tasks.chat(id, 'review:shop:1')).map(({ text }) => text)).toEqual([
      'Reviewed by command. Verdict: passed. Fine.',
    ]);
  },
);

async function doQueued(at: PlanProject, commands: Queued[], workerStore?: string) {
  for (const [index, [words, , answer]] of commands.entries()) {
    const agent = ['--agent', 'command', '--agent-command', program(at, index, answer)];
    const queued = await fermata([...words, ...agent, '--queue'], at);
    expect(queued, `${words}: ${queued.stdout}${queued.stderr}`).toMatchObject({ code: 0 });
  }
  const store = workerStore ?? join(at.env.FERMATA_HOME ?? '', 'ledger.db');
  const ledger = await openLedger(store, {});
  const id = (await ledger.projects.list())[0]?.id ?? '';
  const home = join(at.cwd, '../other home');
  startWorkerIn(ledger, at.cwd, environment({ ...at.env, FERMATA_HOME: home, FERMATA_STORE: store }), [
    'command',
  ]);
  for (const [index, [words, pattern, , file, text]] of commands.entries()) {
    const task = await until(ledger, async () => {
      const found = (await ledger.tasks.list(id)).find((each) => pattern.test(each.id));
      const isOver = found?.status === 'closed' || found?.status === 'blocked';
      return isOver ? found : undefined;
    });
    // Code changes without a plan wait for approval.
    const ends = words[0] === 'tasks' ? { blockReason: OPEN_QUESTION } : { status: 'closed' };
    expect(task, `${words}: ${task.blockReason}`).toMatchObject(ends);
    expect(readFileSync(ranFile(at, index), 'utf8'), words.join(' ')).toContain(home);
    if (file === undefined) continue;
    const pushed = `feat/shop--${task.id.replace(':', '-')}:${file}`;
    expect(sh(join(at.cwd, '../shop.git'), 'show', pushed), words.join(' ')).toContain(text);
  }
  return { ledger, id };
}

/** A plan whose first phase has work in a worktree, a task, requirements and an issue, with a remote. */
async function shop(store?: string): Promise<PlanProject> {
  const shared: Record<string, string> = store === undefined ? {} : { FERMATA_STORE: store };
  const project = planProject([{ id: '1' }, { id: '2', gates: '- there: `test -d .`' }]);
  const at = {
    ...project,
    env: { ...project.env, FERMATA_REMOTE: 'origin', FERMATA_TRUST: '1', ...shared },
  };
  const issue = '# Sort by price\n\nThe list is sorted by price, lowest first. Done when a test shows it.\n';
  commit(at.cwd, 'more', {
    'notes.md': 'First this, then that.\n',
    'PRD.md': '# Shop\n\n## Goals\n\nSell.\n',
    'issues/7-sort.md': `---\nnumber: 7\n---\n${issue}`,
  });
  const remote = join(at.cwd, '../shop.git');
  sh(at.cwd, 'clone', '--quiet', '--bare', at.cwd, remote);
  sh(at.cwd, 'remote', 'add', 'origin', remote);
  await call(at, 'plan', 'start-prompt', '1', '--specialist', 'be', '--worktree', branch);
  commit(makeWorktree(at, branch).cwd, 'work', { 'done.txt': 'x\n' });
  await fermata(['tasks', 'add', 'Greet', '--id', 'greet', '--body', 'Say hello.'], at);
  return at;
}

const ranFile = (at: PlanProject, index: number) => join(at.cwd, `../ran-${index}`);

/** An agent that writes a file where it works and gives this answer. */
function program(at: PlanProject, index: number, answer: string): string {
  const path = join(at.cwd, `../agent-${index}`);
  write(join(at.cwd, '..'), { [`answer-${index}`]: answer });
  const says = `pwd > '${ranFile(at, index)}'\ncat '${join(at.cwd, `../answer-${index}`)}'`;
  const works = answer === DONE ? `echo ${index} > out-${index}\n` : '';
  writeFileSync(path, `#!/bin/sh\ncat > /dev/null\n${works}${says}\n`, { mode: 0o755 });
  return path;
}
