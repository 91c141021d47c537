// `npm run bench -- team`: what workers add to a task on PostgreSQL, and how fast they notice work and a dead worker.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ledger, openLedger } from '../src/ledger/ledger.ts';
import type { By } from '../src/schema/actor.ts';
import type { Standing, Task } from '../src/schema/task.ts';
import type { Placing } from '../src/schema/work.ts';
import { runLoop } from '../src/work/run/task-loop.ts';
import { WakeSignal } from '../src/work/run/wake-signal.ts';
import { WorkerTasks } from '../src/work/worker/worker-tasks.ts';
import { newDatabase } from './support/both-stores.ts';
import { size } from './support/budget.ts';

const ROOT = process.cwd();
const PHASES = size(16, 1);
const by: By = { actor: { kind: 'person', name: 'bench' }, channel: 'command' };
const DONE = { do: 'say', text: '{"status":"success","summary":"done"}' };

const dir = mkdtempSync(join(tmpdir(), 'fermata-bench-team-'));
const postgres = await newDatabase();
const ledger = await openLedger(postgres.place, {});
try {
  await costs([size(100, 10)]); // loads pg-boss and makes its tables
  console.log('\nms to take and close one task, with so many queued');
  // More than have a job at a time: with fewer, nothing is left to queue after a task is taken.
  for (const { queued, ms } of await costs([size(200, 10), ...(PHASES > 1 ? [1000, 10_000] : [])]))
    console.log(`  ${String(queued).padStart(6)}  ${ms.toFixed(1)}`);
  const delays = await readyToTaken(size(200, 2));
  console.log(`\nready → taken: p50 ${at(delays, 0.5)} ms, p99 ${at(delays, 0.99)} ms`);
  const alone = await agentAlone();
  console.log(
    `\n${PHASES} phases with scripted agents that end at once (the agent alone: ${alone.toFixed(0)} ms)`,
  );
  console.log('  workers   phases per minute   ms more per phase');
  for (const workers of [1, 2, 4, 8].filter((count) => count <= PHASES)) {
    const ms = await wholePlan(workers);
    const more = (ms * Math.min(workers, PHASES)) / PHASES - alone;
    console.log(
      `  ${String(workers).padStart(7)}   ${((PHASES / ms) * 60_000).toFixed(0).padStart(17)}   ${more.toFixed(0).padStart(17)}`,
    );
  }
  console.log(`\ntaken over after kill -9: ${(await takeover()).toFixed(0)} ms`);
} finally {
  await ledger.close();
  await postgres.stop();
  rmSync(dir, { recursive: true, force: true });
}

/** A few tasks of each project in turn, so that what else the machine does falls on all of them. */
async function costs(numbers: readonly number[]) {
  const projects: { queued: number; source: WorkerTasks; ms: number }[] = [];
  for (const queued of numbers) projects.push({ queued, source: await queueTasks(queued), ms: 0 });
  const [rounds, count] = [size(20, 1), 5];
  for (let round = 0; round < rounds; round++)
    for (const project of projects) {
      const started = performance.now();
      for (let n = 0; n < count; n++) await close(ledger, required(await project.source.take()));
      project.ms += (performance.now() - started) / (rounds * count);
    }
  for (const { queued } of projects) await ledger.queue.stop(`q${queued}`, 'b/', by);
  return projects;
}

async function queueTasks(count: number): Promise<WorkerTasks> {
  const projectId = `q${count}`;
  await ledger.projects.ensure({ id: projectId, name: projectId, root: null });
  const inputs = Array.from({ length: count }, (_, n) => ({ projectId, id: `b/${n}`, title: `Task ${n}` }));
  await ledger.tasks.ensure({ projectId, plan: 'plans/b' }, inputs, new Set(), by);
  await ledger.queue.place(order(projectId, 'b/'), by);
  return tasksOf(ledger, projectId);
}

/** One idle worker, with its own connections; one task after the other becomes ready. */
async function readyToTaken(count: number): Promise<number[]> {
  const projectId = 'latency';
  await ledger.projects.ensure({ id: projectId, name: projectId, root: null });
  const inputs = Array.from({ length: count }, (_, n) => ({ projectId, id: `t${n}`, title: `Task ${n}` }));
  await ledger.tasks.ensure({ projectId, plan: 'plans/b' }, inputs, new Set(), by);
  const other = await openLedger(postgres.place, {});
  const stop = new AbortController();
  let taken: (at: number) => void = () => undefined;
  const loop = runLoop({
    ...{ ledger: other, by, parallel: 1, signal: stop.signal },
    wake: new WakeSignal((signal) => other.events.changes(signal), stop.signal),
    source: tasksOf(other, projectId),
    execute: async ({ task }) => {
      const now = performance.now();
      await close(other, task);
      taken(now);
    },
  });
  const delays: number[] = [];
  for (let n = 0; n < count; n++) {
    const seen = new Promise<number>((resolve) => {
      taken = resolve;
    });
    await ledger.queue.place(order(projectId, `t${n}`), by);
    const ready = performance.now();
    delays.push(Math.max(0, (await seen) - ready));
  }
  stop.abort();
  await loop;
  await other.close();
  return delays.sort((a, b) => a - b);
}

async function wholePlan(workers: number): Promise<number> {
  const { repository, env } = plan(`w${workers}`, PHASES, { steps: [DONE] });
  const children = Array.from({ length: workers }, (_, n) =>
    startWorker(repository, env, `home-${workers}-${n}`),
  );
  await until(async () => (await ledger.workers.list()).length === workers);
  queue(repository, env);
  const started = performance.now();
  const name = `w${workers}`;
  await until(async () => (await standing(name)).closed === PHASES);
  const ms = performance.now() - started;
  await stopAll(children);
  return ms;
}

async function takeover(): Promise<number> {
  const { repository, env } = plan('takeover', 1, { steps: [{ do: 'wait', ms: 600_000 }] });
  queue(repository, env);
  const first = startWorker(repository, env, 'home-a');
  const holder = async () => (await find('takeover'))?.assignee;
  await until(async () => typeof (await holder()) === 'string');
  const before = await holder();
  const second = startWorker(repository, env, 'home-b');
  await until(async () => (await ledger.workers.list()).length === 2);
  first.kill('SIGKILL');
  const killed = performance.now();
  await until(async () => {
    const now = await holder();
    return typeof now === 'string' && now !== before;
  });
  const ms = performance.now() - killed;
  await stopAll([second]);
  return ms;
}

function order(projectId: string, scope: string): Placing {
  const options = { featureBranch: 'b', remote: null, options: { agent: 'scripted' } };
  return { projectId, scope, needs: ['scripted'], options };
}

function tasksOf(own: Ledger, projectId: string): WorkerTasks {
  return new WorkerTasks({ ledger: own, by, home: 'bench', abilities: ['scripted'], projects: [projectId] });
}

function close(own: Ledger, task: Task): Promise<Task> {
  return own.tasks.end(task.projectId, task.id, by, task.fence);
}

async function project(name: string) {
  return (await ledger.projects.list()).find((each) => each.name === name);
}

async function standing(name: string): Promise<Standing> {
  return ledger.tasks.standing((await project(name))?.id ?? '');
}

async function find(name: string): Promise<Task | undefined> {
  const [task] = await ledger.tasks.list((await project(name))?.id ?? '');
  return task;
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('There is no task to take.');
  return value;
}

async function until(check: () => Promise<boolean>): Promise<void> {
  const give = Date.now() + 300_000;
  while (!(await check())) {
    if (Date.now() > give) throw new Error('It did not happen within five minutes.');
    await new Promise((done) => setTimeout(done, 50));
  }
}

function startWorker(cwd: string, env: NodeJS.ProcessEnv, home: string): ChildProcess {
  const args = [join(ROOT, 'bin/fermata.cjs'), 'worker', '--can', 'scripted', '--slots', '1', '--name', home];
  return spawn(process.execPath, args, {
    cwd,
    env: { ...env, FERMATA_HOME: join(dir, home) },
    stdio: 'ignore',
  });
}

async function stopAll(children: readonly ChildProcess[]): Promise<void> {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map(async (child) => child.exitCode ?? once(child, 'exit')));
}

function queue(cwd: string, env: NodeJS.ProcessEnv): void {
  const args = [join(ROOT, 'bin/fermata.cjs'), 'run', 'plans/b', '--agent', 'scripted', '--trust', '--queue'];
  execFileSync(process.execPath, args, { cwd, env, stdio: 'ignore' });
}

async function agentAlone(): Promise<number> {
  const { env } = plan('alone', 1, { steps: [DONE] });
  const started = performance.now();
  for (let n = 0; n < 5; n++) {
    const child = spawn(process.execPath, [join(ROOT, 'bin/scripted-agent.cjs'), '-p', 'go'], {
      env,
      stdio: 'ignore',
    });
    await once(child, 'exit');
  }
  return (performance.now() - started) / 5;
}

/** A repository with a plan of phases that do not depend on each other. */
function plan(name: string, phases: number, { steps }: { steps: object[] }) {
  const repository = join(dir, name);
  const folder = join(repository, 'plans/b');
  const scenarios = join(dir, `${name}-scenarios`);
  mkdirSync(folder, { recursive: true });
  mkdirSync(scenarios, { recursive: true });
  writeFileSync(
    join(scenarios, 'default.json'),
    JSON.stringify({ counts: 'session', invocations: [{ steps }] }),
  );
  const ids = Array.from({ length: phases }, (_, n) => String(n + 1));
  const rows = ids.map((id) => `| ${id} | [Part ${id}](phase-${id}.md) | Part | Low | Pending |`).join('\n');
  const head =
    '# B - Master Plan\n\n## Phases\n\n| Phase | Title | Focus | Risk | Status |\n|---|---|---|---|---|\n';
  writeFileSync(join(folder, 'MASTER_PLAN.md'), `${head}${rows}\n`);
  for (const id of ids) writeFileSync(join(folder, `phase-${id}.md`), phaseFile(id));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, stdio: 'ignore' });
  git('init', '-b', 'bench');
  git('add', '-A');
  git('-c', 'user.name=b', '-c', 'user.email=b@localhost', 'commit', '-m', 'plan');
  const env = {
    ...process.env,
    FERMATA_HOME: join(dir, `${name}-home`),
    FERMATA_STORE: postgres.place,
    FAKE_CLAUDE_CONFIG: scenarios,
    FERMATA_NO_REVIEW: '1',
  };
  return { repository, env };
}

function phaseFile(id: string): string {
  return `# Phase ${id}: Part ${id}

**Status:** Pending
**Depends On:** N/A

## Process Wrapper

- [ ] Write notes to \`notes/${id}.md\`

## Gates

- there: \`test -d plans\` (AC-1)

## Tasks

- [ ] Do it (AC-1)

## Acceptance Criteria

- AC-1: It is done.
`;
}

function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1);
}
