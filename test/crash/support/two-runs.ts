import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.ts';
import type { Run } from '../../../src/schema/run.ts';
import { planRepository, type TestPhase } from '../../cli/run/support/plan-repository.ts';
import { BIN, environment } from '../../support/fermata.ts';

export interface Crowd {
  phases: number;
  store: string | undefined;
  /** How often one of the two is killed, and how long after the one before. */
  kills: number;
  everyMs: number;
}

/** Phases that depend on the one three before; every fourth asks something. */
const phasesOf = (count: number): TestPhase[] =>
  Array.from({ length: count }, (_, index) => {
    const id = String(index + 1);
    return {
      id,
      dependsOn: index < 3 ? [] : [String(index - 2)],
      gate: `test -f out/${id}.txt`,
      steps: [
        ...(index % 4 === 0
          ? [{ do: 'ask' as const, questions: [{ id: 'q', question: `Part ${id}: how?` }] }]
          : []),
        { do: 'write' as const, path: `out/${id}.txt`, content: `${id} {{answer:q}}\n` },
      ],
    };
  });

/** Two runs of one plan, one of them killed repeatedly, while a person answers. In the end, everything is done once. */
export async function crowd({ phases, store, kills, everyMs }: Crowd): Promise<void> {
  const place = planRepository(phasesOf(phases), store === undefined ? {} : { FERMATA_STORE: store });
  const env = environment(place.at.env);
  const start = () =>
    spawn(process.execPath, [BIN, 'run', 'plans/shop', '--agent', 'scripted', '--wait', '--parallel', '3'], {
      cwd: place.cwd,
      env,
      stdio: 'ignore',
    });
  const ledger = await openLedger(store ?? `${place.at.env?.FERMATA_HOME}/ledger.db`);
  const over = new AbortController();
  const runs = [start(), start()];
  const person = answerAll(ledger, over.signal);
  try {
    for (let kill = 0; kill < kills; kill++) {
      await sleep(everyMs);
      const victim = runs[kill % 2] as ChildProcess;
      victim.kill('SIGKILL');
      runs[kill % 2] = start();
    }
    const codes = await Promise.all(
      runs.map(async (run) => run.exitCode ?? ((await once(run, 'exit'))[0] as number)),
    );
    expect(codes).toEqual([0, 0]);
    await expectDoneOnce(ledger, phases);
    const merges = place.git('log', '--merges', '--format=%s', 'work').split('\n');
    expect(new Set(merges).size, 'each phase was merged once').toBe(phases);
    expect(merges).toHaveLength(phases);
    expect(place.git('ls-tree', '--name-only', 'work', 'out/').split('\n')).toHaveLength(phases);
    for (let id = 1; id <= phases; id += 4) expect(place.git('show', `work:out/${id}.txt`)).toBe(`${id} so`);
  } finally {
    over.abort();
    await person;
    for (const run of runs) run.kill('SIGKILL');
    await ledger.close();
  }
}

async function answerAll(ledger: Ledger, signal: AbortSignal): Promise<void> {
  const by = { actor: { kind: 'person' as const, name: 'ann' }, channel: 'rest' as const };
  while (!signal.aborted) {
    const { notifications } = await ledger.notifications.list({ status: ['open'] });
    for (const { projectId, id, questions } of notifications) {
      const responses = questions.map((question) => ({ questionId: question.id, answer: 'so' }));
      await ledger.notifications.resolve(projectId, id, { responses }, by).catch(() => undefined);
    }
    await sleep(200);
  }
}

async function expectDoneOnce(ledger: Ledger, phases: number): Promise<void> {
  const [project] = await ledger.projects.list();
  const projectId = project?.id ?? '';
  const tasks = await ledger.tasks.list(projectId);
  expect(tasks.map(({ status }) => status)).toEqual(Array(phases).fill('closed'));
  for (const { id } of tasks) {
    const runs = await ledger.runs.of(projectId, 'execute', id);
    expect(
      runs.every(({ status }) => status === 'ended'),
      `${id} has no run that is not over`,
    ).toBe(true);
    expect(
      runs.filter(({ end }) => end?.reason === 'ok'),
      `${id} was done once`,
    ).toHaveLength(1);
    expect(overlaps(runs), `${id} never had two agents at once`).toBe(false);
    const asked = await ledger.notifications.asked(projectId, 'execute', id);
    expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 'delivered'));
  }
  const worktrees = await ledger.worktrees.list(projectId);
  expect(worktrees.map(({ state }) => state)).toEqual(Array(phases).fill('merged'));
}

function overlaps(runs: Run[]): boolean {
  const oldest = [...runs].reverse();
  return oldest.some((run, index) => {
    const next = oldest[index + 1];
    return next !== undefined && (run.endedAt ?? '9') > next.startedAt;
  });
}
