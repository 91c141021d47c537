// `npm run bench -- run`: what the orchestrator adds to each task: beside the bare ledger, and beside the bare agent; and
// what verifying the work of a phase costs.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ledger, openLedger } from '../src/ledger/ledger.ts';
import type { By } from '../src/schema/actor.ts';
import { runTasks } from '../src/work/run/run-tasks.ts';
import { verifiedWork } from './support/agent-work.ts';
import { judge, size, table } from './support/budget.ts';

const ROOT = process.cwd();
const TASKS = size(10_000, 10);
const PHASES = size(16, 1);
const by: By = { actor: { kind: 'policy', name: 'bench' }, channel: 'ledger' };

const dir = mkdtempSync(join(tmpdir(), 'fermata-bench-run-'));
const scenarios = scenarioFolder();
try {
  console.log(`\n${TASKS} tasks that are done at once, SQLite, ms per task`);
  console.log('                      ledger alone   with the scheduler   ratio');
  for (const shape of ['chain', 'fan']) {
    const bare = await timedTasks(shape, 'bare', bareLoop);
    for (const parallel of [1, 16]) {
      const whole = await timedTasks(shape, `p${parallel}`, (ledger, id) => scheduled(ledger, id, parallel));
      row(`${shape}, ${parallel} at once`, bare, whole);
    }
  }
  console.log(
    `\n${PHASES} phases with the scripted agent, s for all of them (agent alone, one after the other)`,
  );
  const alone = await timed(async () => {
    for (let n = 0; n < PHASES; n++) await agentAlone();
  });
  console.log(`  agent alone          ${(alone / 1000).toFixed(2)}`);
  for (const parallel of [1, 16]) {
    const whole = await timed(() => wholeRun(parallel));
    const each = ((whole - alone) / PHASES).toFixed(0);
    console.log(
      `  fermata run, ${String(parallel).padStart(2)} at once ${(whole / 1000).toFixed(2)}   (${each} ms more per phase: worktree, gates, merge)`,
    );
  }
  console.log('\nverifying a phase of 60 files, in turns');
  const verified = await verifiedWork(dir);
  if (typeof verified === 'string') console.log(verified);
  else {
    console.log(table({ '': verified }));
    judge(verified);
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}

async function timedTasks(
  shape: string,
  name: string,
  work: (ledger: Ledger, projectId: string) => Promise<void>,
): Promise<number> {
  const ledger = await openLedger(join(dir, `${shape}-${name}.db`), {});
  try {
    await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
    const inputs = Array.from({ length: TASKS }, (_, n) => ({
      projectId: 'p',
      id: `b/${n}`,
      title: `Task ${n}`,
      dependsOn: n === 0 ? [] : [shape === 'chain' ? `b/${n - 1}` : 'b/0'],
    }));
    await ledger.tasks.ensure({ projectId: 'p', plan: 'plans/b' }, inputs, new Set(), by);
    return (await timed(() => work(ledger, 'p'))) / TASKS;
  } finally {
    await ledger.close();
  }
}

async function bareLoop(ledger: Ledger, projectId: string): Promise<void> {
  const claim = { worker: 'bench', leaseSeconds: 60 };
  for (;;) {
    const task = await ledger.tasks.claimNext(projectId, claim, by);
    if (!task) return;
    await ledger.tasks.end(projectId, task.id, by, task.fence);
  }
}

async function scheduled(ledger: Ledger, projectId: string, parallel: number): Promise<void> {
  const { signal } = new AbortController();
  const standing = await runTasks({
    ledger,
    projectId,
    by,
    within: 'b/',
    parallel,
    stays: () => false,
    execute: async ({ task }) => {
      await ledger.tasks.end(projectId, task.id, by, task.fence);
    },
    signal,
  });
  if (standing.closed !== TASKS) throw new Error(`only ${standing.closed} tasks were done`);
}

function scenarioFolder(): string {
  const folder = join(dir, 'scenarios');
  mkdirSync(folder, { recursive: true });
  const steps = [{ do: 'say', text: '{"status":"success","summary":"done"}' }];
  writeFileSync(
    join(folder, 'default.json'),
    JSON.stringify({ counts: 'session', invocations: [{ steps }] }),
  );
  return folder;
}

async function agentAlone(): Promise<void> {
  const env = { ...process.env, FAKE_CLAUDE_CONFIG: scenarios };
  const child = spawn(process.execPath, [join(ROOT, 'bin/scripted-agent.cjs'), '-p', 'go'], {
    env,
    stdio: 'ignore',
  });
  await once(child, 'exit');
}

async function wholeRun(parallel: number): Promise<void> {
  const repository = join(dir, `repository-${parallel}`);
  const plan = join(repository, 'plans/bench');
  mkdirSync(plan, { recursive: true });
  const ids = Array.from({ length: PHASES }, (_, n) => String(n + 1));
  const rows = ids.map((id) => `| ${id} | [Part ${id}](phase-${id}.md) | Part | Low | Pending |`).join('\n');
  writeFileSync(
    join(plan, 'MASTER_PLAN.md'),
    `# Bench - Master Plan\n\n## Phases\n\n| Phase | Title | Focus | Risk | Status |\n|---|---|---|---|---|\n${rows}\n`,
  );
  for (const id of ids) writeFileSync(join(plan, `phase-${id}.md`), phase(id));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, stdio: 'ignore' });
  git('init', '-b', 'bench');
  git('add', '-A');
  git('-c', 'user.name=b', '-c', 'user.email=b@localhost', 'commit', '-m', 'plan');
  const env = {
    ...process.env,
    FERMATA_HOME: join(dir, `home-${parallel}`),
    FAKE_CLAUDE_CONFIG: scenarios,
    FERMATA_NO_REVIEW: '1',
  };
  const args = [
    join(ROOT, 'bin/fermata.cjs'),
    'run',
    'plans/bench',
    '--agent',
    'scripted',
    '--trust',
    '--parallel',
    String(parallel),
  ];
  const child = spawn(process.execPath, args, { cwd: repository, env, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`fermata run ended with ${code}`);
}

function phase(id: string): string {
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

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function row(name: string, bare: number, whole: number): void {
  console.log(
    `  ${name.padEnd(20)} ${bare.toFixed(2).padStart(8)} ${whole.toFixed(2).padStart(18)} ${(whole / bare).toFixed(2).padStart(12)}`,
  );
}
