import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import { type PlanRepository, planRepository, type TestPhase } from '../cli/run/support/plan-repository.ts';
import { fermata, freshFolder, spawnFermata, startFermata } from '../support/fermata.ts';
import { freshDatabase, postgresMissing } from '../support/fresh-database.ts';
import { isLong } from '../support/long.ts';
import { sh } from '../work/support/repository.ts';

/** The agent has ended, its work is committed, is safe, and counts. */
const keeping = ['run.said', 'work.committed', 'run.kept', 'run.ended', 'record.appended'];

/** Before the branch moves, after it, after the record says so, and after the phase is closed. */
const points = ['merge.committed', 'merge.recorded', 'merge.moved', 'merge.finished', 'complete.closed'];

const rounds = isLong ? [...keeping, ...points] : ['merge.moved'];

/** Where a worker is killed, once for each phase. */
const kills = isLong ? Array.from({ length: 4 }, () => points).flat() : ['merge.finished'];

/** Each run of its gate is a line in a file, and so is each start of its agent. */
const counted = (id: string, log: string): TestPhase => ({
  id,
  gate: `test -f out/${id}.txt && echo ${id} >> ${log}`,
  steps: [
    { do: 'run', command: `echo ${id} >> ${agentsIn(log)}` },
    { do: 'write', path: `out/${id}.txt`, content: `${id}\n` },
  ],
});

const agentsIn = (log: string) => `${log}-agents`;

const lines = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);

const mergesIn = (folder: string) => sh(folder, 'log', '--merges', '--format=%s', 'work').split('\n');

function withRemote(place: PlanRepository): string {
  const remote = join(place.cwd, '../team/shop.git');
  sh(place.cwd, 'clone', '--quiet', '--bare', place.cwd, remote);
  sh(place.cwd, 'remote', 'add', 'origin', remote);
  return remote;
}

/** What happened to the record of each worktree, in order. */
async function statesOf(ledger: Ledger, projectId: string): Promise<Map<string, string[]>> {
  const states = new Map<string, string[]>();
  for (const { type, data } of await ledger.events.list(projectId, 0, 10_000)) {
    if (type !== 'worktree.updated') continue;
    const before = states.get(data.branch) ?? [];
    if (before.at(-1) !== data.state) states.set(data.branch, [...before, data.state]);
  }
  return states;
}

describe('TEAM-5 RUN-2 WORK-3 a run that is killed after its agent ended', () => {
  it.each(rounds)(
    'with a remote, at %s: no agent starts again, and nothing is merged or checked twice',
    async (point) => {
      const cwd = freshFolder('shop');
      const log = join(cwd, '../gates');
      const place = planRepository([counted('1', log)], {}, cwd);
      const folder = withRemote(place);
      const named = [
        'run',
        'plans/shop',
        '--agent',
        'scripted',
        '--no-review',
        '--trust',
        '--remote',
        'origin',
      ];
      const env = { ...place.at.env, FERMATA_CRASH_AT: `${point}=kill` };
      const died = await spawnFermata(named, { ...place.at, env });
      expect(died.code, died.stdout + died.stderr).toBeNull();
      const next = await fermata(named, place.at);
      expect(next.code, next.stderr).toBe(0);

      expect(mergesIn(folder)).toEqual(["Merge branch 'work--shop--implementation-1' into work"]);
      const ledger = await openLedger(join(place.cwd, '../home/ledger.db'));
      try {
        const [{ id = '' } = {}] = await ledger.projects.list();
        expect(lines(log)).toEqual(['1']);
        expect(lines(agentsIn(log))).toEqual(['1']);
        expect(await ledger.runs.of(id, 'execute', 'shop/1')).toHaveLength(1);
        const [worktree] = await ledger.worktrees.list(id);
        expect(worktree).toMatchObject({
          state: 'merged',
          mergeCommit: sh(folder, 'log', '--merges', '--format=%H', 'work'),
        });
        expect([...(await statesOf(ledger, id)).values()]).toEqual([['active', 'merged']]);
      } finally {
        await ledger.close();
      }
      const status = JSON.parse((await fermata(['plan', 'status'], place.at)).stdout).data;
      expect(status).toMatchObject({ counts: { completed: 1 }, problems: [] });
      expect(sh(folder, 'for-each-ref', 'refs/fermata')).toBe('');
    },
    120_000,
  );
});

/** Where the work of an agent is only on its machine. */
const unpushed = ['run.said', 'work.committed'];

interface Takeover {
  point: string;
  by: 'the same home' | 'another home';
}

const takeovers: Takeover[] = isLong
  ? [...keeping, ...points].flatMap((point): Takeover[] =>
      Array.from({ length: 20 }, (_, round) => ({
        point,
        by: round % 2 === 0 ? 'another home' : 'the same home',
      })),
    )
  : [
      { point: 'run.said', by: 'the same home' },
      { point: 'run.kept', by: 'another home' },
    ];

describe.skipIf(postgresMissing !== undefined)('TEAM-5 workers on PostgreSQL', () => {
  it.each(takeovers)(
    'WORK-3 TEAM-3 a worker killed at $point, and then one in $by: the agent works again only if its work was not pushed',
    async ({ point, by }) => {
      const cwd = freshFolder('shop');
      const log = join(cwd, '../gates');
      const store = await freshDatabase();
      const place = planRepository([counted('1', log)], { FERMATA_STORE: store }, cwd);
      const remote = withRemote(place);
      const queued = await place.run('--queue', '--trust', '--no-review');
      expect(queued.code, queued.stderr).toBe(0);
      const start = (home: string, crash: Record<string, string>) =>
        startFermata(['worker', '--can', 'scripted', '--slots', '1'], {
          env: { ...place.at.env, ...crash, FERMATA_HOME: join(cwd, `../${home}`) },
        });
      const died = await start('one', { FERMATA_CRASH_AT: `${point}=kill` }).ended;
      expect(died.code, died.stderr).toBeNull();
      const next = start(by === 'another home' ? 'two' : 'one', {});
      const ledger = await openLedger(store);
      try {
        const [{ id = '' } = {}] = await ledger.projects.list();
        for await (const _ of ledger.events.changes(AbortSignal.timeout(90_000))) {
          if ((await ledger.tasks.get(id, 'shop/1')).status === 'closed') break;
        }
        next.child.kill('SIGTERM');
        await next.ended;
        const isLost = unpushed.includes(point) && by === 'another home';
        expect(lines(agentsIn(log))).toEqual(isLost ? ['1', '1'] : ['1']);
        expect(lines(log)).toEqual(['1']);
        expect(mergesIn(remote)).toEqual(["Merge branch 'work--shop--implementation-1' into work"]);
        expect(await ledger.runs.of(id, 'execute', 'shop/1')).toHaveLength(1);
        expect(sh(remote, 'for-each-ref', 'refs/fermata')).toBe('');
      } finally {
        await ledger.close();
      }
    },
    120_000,
  );

  it(`a worker killed at the merge of each phase, ${kills.length} in all: each is merged once, checked once, and closed`, async () => {
    const cwd = freshFolder('shop');
    const log = join(cwd, '../gates');
    const phases = kills.map((_, index) => counted(String(index + 1), log));
    const store = await freshDatabase();
    const place = planRepository(phases, { FERMATA_STORE: store }, cwd);
    const remote = withRemote(place);
    const queued = await place.run('--queue', '--trust', '--no-review');
    expect(queued.code, queued.stderr).toBe(0);
    const start = (turn: number, crash: Record<string, string>) =>
      startFermata(['worker', '--can', 'scripted', '--slots', '1', '--name', `w${turn}`], {
        env: { ...place.at.env, ...crash, FERMATA_HOME: join(cwd, `../home-${turn % 3}`) },
        limitMs: 120_000,
      });
    for (const [turn, point] of kills.entries()) {
      const died = await start(turn, { FERMATA_CRASH_AT: `${point}=kill` }).ended;
      expect(died.code, died.stderr).toBeNull();
    }
    const last = start(kills.length, {});
    const ledger = await openLedger(store);
    try {
      const [{ id = '' } = {}] = await ledger.projects.list();
      for await (const _ of ledger.events.changes(AbortSignal.timeout(240_000))) {
        if ((await ledger.tasks.list(id)).every(({ status }) => status === 'closed')) break;
      }
      last.child.kill('SIGTERM');
      await last.ended;
      const tasks = await ledger.tasks.list(id, { within: 'shop/' });
      expect(tasks.map(({ status }) => status)).toEqual(phases.map(() => 'closed'));
      const merged = mergesIn(remote).filter((subject) => subject.endsWith('into work'));
      expect(merged.sort()).toEqual(
        phases.map((each) => `Merge branch 'work--shop--implementation-${each.id}' into work`).sort(),
      );
      for (const [branch, states] of await statesOf(ledger, id))
        expect([branch, states]).toEqual([branch, ['active', 'merged']]);
      expect(lines(log).sort()).toEqual(phases.map((each) => each.id).sort());
      expect(sh(remote, 'for-each-ref', 'refs/fermata')).toBe('');
    } finally {
      await ledger.close();
    }
  }, 900_000);
});
