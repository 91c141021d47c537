import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import type { Step } from '../../src/testing/scenario.ts';
import { realCli } from '../agents/clis/real-cli.ts';
import { DONE, planFolder, planRepository, type TestPhase } from '../cli/run/support/plan-repository.ts';
import { worktreeIn } from '../cli/run/support/worktree-in.ts';
import { inbox } from '../support/asked.ts';
import { BIN, environment, fermata, freshFolder } from '../support/fermata.ts';
import { postgresMissing } from '../support/fresh-database.ts';
import {
  MACHINES_NETWORK,
  machinesMissing,
  makeMachines,
  OWN_ADDRESS,
  SERVER_ADDRESS,
} from '../support/machines.ts';
import { startAnthropic } from '../support/model/anthropic.ts';
import { text, toolUse } from '../support/model/anthropic-reply.ts';
import { claudeHome } from '../support/model/cli-home.ts';
import { startPostgres } from '../support/postgres.ts';
import { sh } from '../work/support/repository.ts';

const REMOTE = `git://${SERVER_ADDRESS}/team/shop.git`;
const CUT_MS = 60_000;
const TAKE_OVER_MS = 30_000;

const writes = (id: string, content = id): Step => ({
  do: 'write',
  path: `out/${id}.txt`,
  content: `${content}\n`,
});
const asks = (id: string): Step => ({
  do: 'ask',
  questions: [{ id: 'q', question: `Which word for ${id}?` }],
});

/** Its gate needs the files of the phases that it depends on. */
const phase = (id: string, dependsOn: string[] = [], more: Partial<TestPhase> = {}): TestPhase => ({
  id,
  dependsOn,
  gate: [id, ...dependsOn].map((each) => `test -f out/${each}.txt`).join(' && '),
  steps: [writes(id)],
  ...more,
});

/** Its first session does not finish; the next one does the work. */
const twice = (id: string, first: NonNullable<TestPhase['steps']>): TestPhase =>
  phase(id, [], {
    scenario: { counts: 'all', invocations: [{ steps: first }, { steps: [writes(id), DONE] }] },
  });
const stuck = (id: string) => twice(id, [{ do: 'wait', ms: 600_000 }]);

const phases = [
  twice('1', [asks('1'), { do: 'wait', ms: 600_000 }]),
  stuck('2'),
  stuck('3'),
  phase('4', ['1']),
  phase('5', ['2']),
  phase('6', ['3']),
  phase('7', ['4', '5']),
  phase('8', ['2'], { steps: [asks('8'), writes('8', '{{answer:q}}')] }),
  phase('9', ['3'], { steps: [asks('9'), writes('9', '{{answer:q}}')] }),
  phase('10', ['6', '7']),
  phase('11', ['8']),
];

/** The twelfth is in a plan of its own, for the real Claude Code. */
const REAL = phase('12');

test('TEAM-5 three workers on separate machines finish twelve phases, though one dies, one is cut off and PostgreSQL restarts', async ({
  skip,
}) => {
  const missing = postgresMissing ?? machinesMissing();
  if (missing !== undefined) skip(missing);
  const { machines, onServer } = makeMachines(3);
  const postgres = await startPostgres({
    address: SERVER_ADDRESS,
    network: MACHINES_NETWORK,
    on: onServer,
  });
  onTestFinished(() => postgres.stop());
  const store = await postgres.createDatabase();
  const claude = await realClaude(skip);
  const cwd = freshFolder('shop');
  planFolder(cwd, 'greet', [REAL]);
  const place = planRepository(phases, { FERMATA_STORE: store }, cwd);
  const bare = join(place.cwd, '../served/team/shop.git');
  await serve(onServer, place.cwd, bare);

  const queued = await place.run('--queue', '--trust', '--no-review');
  expect(queued.code, queued.stderr).toBe(0);
  const forClaude = ['--agent', 'claude', '--agent-command', claude.program];
  const real = await fermata(['run', 'plans/greet', ...forClaude, '--queue', '--trust', '--no-review'], {
    ...place.at,
    env: { ...place.at.env, ...claude.env },
  });
  expect(real.code, real.stderr).toBe(0);
  const ledger = await openLedger(store, {}, { ms: 60_000, tell: () => undefined });
  onTestFinished(() => ledger.close());
  const [project] = await ledger.projects.list();
  const projectId = project?.id ?? '';
  const task = (id: string) => ledger.tasks.get(projectId, `shop/${id}`);
  const works = async (id: string) =>
    (await ledger.runs.of(projectId, 'execute', `shop/${id}`)).some(({ status }) => status === 'running');
  const homes = machines.map((_, index) => join(place.cwd, `../home-${index}`));
  const start = (index: number, slots: number, can = 'scripted') => {
    const own = can.includes('claude') ? claude.env : {};
    const env = environment({ ...place.at.env, ...own, FERMATA_HOME: homes[index] });
    const args = ['worker', '--can', can, '--slots', String(slots), '--name', `worker-${index}`];
    const machine = machines[index];
    if (!machine) throw new Error(`There is no machine ${index}.`);
    const worker = machine.start([process.execPath, BIN, ...args], { cwd: join(place.cwd, '..'), env });
    said.push(worker.said);
    return { ...worker, machine };
  };
  const said: (() => string)[] = [];
  const until = (what: string, check: () => Promise<boolean>) =>
    happens(what, check, ledger, projectId, said);
  const cloneOf = (home: string) => {
    const folder = join(home, 'projects', projectId, 'clones');
    return join(folder, readdirSync(folder)[0] ?? '');
  };

  const dies = start(0, 1);
  await until('a question of phase 1', async () => (await inbox(place.at)).length === 1);
  await until('an agent on phase 2', () => works('2'));
  const isCutOff = start(1, 1);
  await until('an agent on phase 3', () => works('3'));
  const claimRef = 'refs/fermata/claims/work--shop--implementation-3';
  const staleClaim = sh(bare, 'rev-parse', claimRef);
  const stays = start(2, 3, 'scripted,claude');
  await until('three workers', async () => (await ledger.workers.list()).length === 3);

  const before = await Promise.all(['1', '2', '3'].map(async (id) => (await task(id)).fence));
  const from = performance.now();
  isCutOff.machine.unplug();
  await dies.losePower();
  const [asked] = await inbox(place.at);
  expect((await fermata(['answer', asked?.id ?? '', 'one'], place.at)).code).toBe(0);
  const tookOver = await Promise.all(
    ['1', '2', '3'].map(async (id, index) => {
      await until(`phase ${id} is taken over`, async () => (await task(id)).fence > (before[index] ?? 0));
      return Math.round(performance.now() - from);
    }),
  );
  expect(Math.max(...tookOver)).toBeLessThan(TAKE_OVER_MS);

  await postgres.halt('stop');
  await sleep(3000);
  await postgres.bringBack();
  await sleep(Math.max(0, from + CUT_MS - performance.now()));
  isCutOff.machine.plug();
  await until('the worker that was cut off is back', async () =>
    (await ledger.workers.list()).some(({ name }) => name === 'worker-1'),
  );
  expect(() => pushLate(isCutOff.machine, cloneOf(homes[1] ?? ''), claimRef, staleClaim)).toThrow(
    'stale info',
  );

  await until('all phases are closed', async () => {
    for (const { id, questions } of await inbox(place.at)) {
      const word = /for (\d+)/.exec(questions[0]?.text ?? '')?.[1] ?? '';
      await fermata(['answer', id, `word-${word}`], place.at);
    }
    return (await ledger.tasks.list(projectId)).every(({ status }) => status === 'closed');
  });
  expect([await isCutOff.stop(), await stays.stop()], stays.said()).toEqual([0, 0]);

  const merges = sh(bare, 'log', '--first-parent', '--merges', '--format=%s', 'work').split('\n');
  expect(merges.map((line) => Number(/implementation-(\d+)/.exec(line)?.[1])).sort((a, b) => a - b)).toEqual(
    [...phases, REAL].map(({ id }) => Number(id)),
  );
  expect(sh(bare, 'ls-tree', '--name-only', 'work', 'out/').split('\n')).toHaveLength(12);
  expect(['8', '9'].map((id) => sh(bare, 'show', `work:out/${id}.txt`))).toEqual(['word-8', 'word-9']);
  expect(sh(bare, 'for-each-ref', 'refs/fermata')).toBe('');
  const tip = sh(bare, 'rev-parse', 'work');
  machines.forEach((machine, index) => {
    const clone = cloneOf(homes[index] ?? '');
    machine.run(['git', 'fetch', '--quiet', 'origin'], clone);
    expect(sh(clone, 'rev-parse', 'origin/work')).toBe(tip);
  });
  for (const task of await ledger.tasks.list(projectId)) {
    const runs = await ledger.runs.of(projectId, 'execute', task.id);
    expect(runs.filter(({ end }) => end?.reason === 'ok')).toHaveLength(1);
  }
  const [first] = await ledger.runs.of(projectId, 'execute', 'shop/1');
  const told = JSON.stringify(await ledger.events.ofRun(projectId, first?.id ?? ''));
  expect(told).toContain('A new session continues here with the work so far, the questions and the answers');
  expect(await deliveries(ledger, projectId)).toEqual([1, 1, 1]);
}, 600_000);

/** The real program with a scripted model that its machine can reach; nothing else answers it. */
async function realClaude(skip: (note: string) => never) {
  const program = await realCli('claude-2.1.325', skip);
  const model = await startAnthropic((request, index) => {
    if (index > 0) return text('{"status":"success","summary":"done"}');
    const file_path = join(worktreeIn(request, REAL.id), `out/${REAL.id}.txt`);
    return toolUse('toolu_1', 'Write', { file_path, content: 'Ahoy\n' });
  });
  onTestFinished(() => model.stop());
  const port = Number(new URL(model.url).port);
  const relay = createServer((socket) => {
    const there = connect(port, '127.0.0.1');
    for (const each of [socket, there]) each.on('error', () => undefined);
    socket.pipe(there).pipe(socket);
  });
  relay.listen(port, OWN_ADDRESS);
  await once(relay, 'listening');
  onTestFinished(() => void relay.close());
  const home = claudeHome(`http://${OWN_ADDRESS}:${port}`);
  onTestFinished(() => home.remove());
  const { PATH = '' } = home.env;
  return {
    program,
    env: {
      ...home.env,
      PATH: [dirname(program), PATH].join(delimiter),
      NO_PROXY: OWN_ADDRESS,
      no_proxy: OWN_ADDRESS,
    },
  };
}

/** A bare repository that the machines reach by git's own protocol, with the plan in it. */
async function serve(onServer: string[], from: string, bare: string): Promise<void> {
  const base = join(bare, '../..');
  mkdirSync(join(bare, '..'), { recursive: true });
  sh(from, 'clone', '--quiet', '--bare', from, bare);
  sh(from, 'remote', 'add', 'origin', REMOTE);
  const flags = ['--verbose', '--export-all', '--enable=receive-pack', `--base-path=${base}`];
  const [command = '', ...first] = onServer;
  const daemon = spawn(command, [...first, 'git', 'daemon', ...flags, `--listen=${SERVER_ADDRESS}`, base], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(daemon, 'close');
  onTestFinished(async () => {
    daemon.kill('SIGTERM');
    await ended;
  });
  await once(daemon.stderr, 'data');
  daemon.stderr.resume();
}

/** What a worker would push if it checked its claim before it was cut off and continued when it was back. */
function pushLate(
  machine: { run(command: string[], cwd: string): string },
  clone: string,
  claimRef: string,
  stale: string,
): void {
  const leases = [`--force-with-lease=${claimRef}:${stale}`];
  const late = sh(clone, 'commit-tree', '-m', 'Late', `${stale}^{tree}`);
  const updates = [`+${late}:refs/heads/work--shop--implementation-3`, `${late}:${claimRef}`];
  machine.run(['git', 'push', '--atomic', ...leases, 'origin', ...updates], clone);
}

async function happens(
  what: string,
  check: () => Promise<boolean>,
  ledger: Ledger,
  projectId: string,
  said: readonly (() => string)[],
): Promise<void> {
  const end = performance.now() + 150_000;
  while (performance.now() < end) {
    if (await check()) return;
    await sleep(250);
  }
  const tasks = await ledger.tasks.list(projectId);
  const standing = tasks.map(({ id, status, blockReason }) => `${id} ${status} ${blockReason ?? ''}`);
  throw new Error(`It did not happen: ${what}\n${[...standing, ...said.map((each) => each())].join('\n')}`);
}

/** How often each answer was delivered. */
async function deliveries(ledger: Ledger, projectId: string): Promise<number[]> {
  const counts = new Map<string, number>();
  for (let after = 0; ; ) {
    const events = await ledger.events.list(projectId, after);
    for (const { type, data } of events) {
      if (type === 'notification.added') counts.set(data.notification.id, 0);
      else if (
        (type === 'notification.updated' || type === 'notification.resolved') &&
        data.status === 'delivered'
      )
        counts.set(data.id, (counts.get(data.id) ?? 0) + 1);
    }
    const last = events.at(-1);
    if (!last) return [...counts.values()];
    after = last.number;
  }
}
