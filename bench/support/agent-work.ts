import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxArguments } from '../../src/agents/sandbox/arguments.ts';
import { missingSandbox } from '../../src/agents/sandbox/require-sandbox.ts';
import { sandboxFor } from '../../src/agents/sandbox/sandbox.ts';
import { findFalseObject } from '../../src/git/check-objects.ts';
import { receiveWork } from '../../src/work/worktrees/receive-work.ts';
import { type Figure, size } from './budget.ts';
import { spread } from './measure.ts';

const FILES = 60;
const TURNS = size(40, 1);
const identity = {
  GIT_AUTHOR_NAME: 'b',
  GIT_AUTHOR_EMAIL: 'b@localhost',
  GIT_COMMITTER_NAME: 'b',
  GIT_COMMITTER_EMAIL: 'b@localhost',
};

/**
 * What it costs that only verified commits count, for a phase of 60 files: the transfer out of a sandbox, and the check of
 * what an agent without one committed. In turns, each in a worktree of its own.
 */
export async function verifiedWork(dir: string): Promise<Figure[] | string> {
  const missing = missingSandbox(process.env);
  if (missing) return `not measured: ${missing.problem}. ${missing.fix}.`;
  const main = repositoryIn(join(dir, 'verified'));
  Object.assign(process.env, identity, { FERMATA_HOME: join(dir, 'verified-home'), FERMATA_SANDBOX: '1' });
  const received: number[] = [];
  const checked: number[] = [];
  for (let turn = 1; turn <= TURNS; turn++) {
    const inside = worktreeOf(main, `inside-${turn}`);
    commitIn(inside, true);
    received.push(await timed(() => receiveWork(inside, 'bench')));
    if (git(inside, 'log', '-1', '--format=%s') !== SUBJECT) throw new Error('nothing was received');
    const outside = worktreeOf(main, `outside-${turn}`);
    commitIn(outside, false);
    checked.push(await timed(() => findFalseObject(outside, { tip: 'HEAD', known: ['refs/heads/bench'] })));
  }
  delete process.env.FERMATA_SANDBOX;
  return [
    { what: 'received from a sandbox', value: bestMedian(received), unit: 'ms', atMost: 30 },
    { what: 'checked without a sandbox', value: bestMedian(checked), unit: 'ms' },
  ];
}

/** Of rounds of ten, so that a moment in which the machine was busy does not count. */
const bestMedian = (times: readonly number[]): number =>
  Math.min(...times.flatMap((_, at) => (at % ROUND === 0 ? [spread(times.slice(at, at + ROUND)).p50] : [])));

const ROUND = 10;
const SUBJECT = `${FILES} files`;

/** With as many files as a small project. */
function repositoryIn(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (let n = 0; n < 300; n++) writeFileSync(join(folder, `old-${n}.txt`), someText());
  git(folder, 'init', '--quiet', '-b', 'bench');
  git(folder, 'add', '-A');
  git(folder, '-c', 'user.name=b', '-c', 'user.email=b@localhost', 'commit', '--quiet', '-m', 'before');
  return folder;
}

/** Below the data folder, as in a run. */
function worktreeOf(main: string, name: string): string {
  const path = join(process.env.FERMATA_HOME ?? '', 'worktrees', name);
  git(main, 'worktree', 'add', '--quiet', '-b', name, path);
  return path;
}

/** Half of the files are new; the others were there. */
function commitIn(worktree: string, isSandboxed: boolean): void {
  for (let n = 0; n < FILES; n++)
    writeFileSync(join(worktree, n % 2 ? `old-${n}.txt` : `new-${n}.txt`), someText());
  const script = ['/bin/sh', '-ec', `git add -A && git commit --quiet -m "${SUBJECT}"`];
  const sandbox = isSandboxed ? sandboxFor(process.env, worktree, { commits: true }) : undefined;
  const [program = '', ...args] = sandbox
    ? [sandbox.bwrap, ...sandboxArguments(sandbox, { program: '/bin/sh', cwd: worktree }), ...script]
    : script;
  execFileSync(program, args, { cwd: worktree });
}

const someText = () => `${randomBytes(1500).toString('base64')}\n`;

const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
