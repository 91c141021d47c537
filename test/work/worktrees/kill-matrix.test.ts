import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Worktree } from '../../../src/schema/worktree.ts';
import { findWorktree } from '../../../src/work/worktrees/find-worktree.ts';
import { mergeWorktree } from '../../../src/work/worktrees/merge-worktree.ts';
import { openWorktree } from '../../../src/work/worktrees/open-worktree.ts';
import { ended, start } from '../../crash/support/processes.ts';
import { bundledProgram, type Program } from '../../support/bundled-program.ts';
import { spread } from '../../support/long.ts';
import {
  commit,
  freshRepository,
  loginPhase,
  sh,
  type TestRepository,
  write,
} from '../support/repository.ts';
import { runStep } from '../support/run-step.ts';

let program: Program;
beforeAll(async () => {
  program = await bundledProgram(join(import.meta.dirname, '../support/program.ts'));
}, 240_000);

const points = {
  open: ['worktree.begin', 'worktree.made', 'worktree.recorded'],
  merge: ['merge.committed', 'merge.recorded', 'merge.moved', 'merge.finished'],
  discard: [
    'discard.begin',
    'discard.named',
    'discard.archived',
    'remove.taken-away',
    'remove.kept',
    'remove.emptied',
    'remove.forgotten',
    'discard.removed',
    'discard.deleted',
  ],
  cleanup: ['remove.taken-away', 'remove.kept', 'remove.emptied', 'remove.forgotten'],
} as const;
type Role = keyof typeof points;

describe.each(Object.keys(points) as Role[])('%s', (role) => {
  it('VAR-3 killed with SIGKILL at each step, a second try ends in the same state and nothing is lost', async () => {
    const at = await freshRepository();
    const tried = spread<string>(points[role]);
    const phases = ['1', ...tried.map((_, index) => `${index + 2}`)];
    const runAlone = (phase: string, options: { crashAt?: string } = {}) =>
      ended(start(program.file, [role, at.main, at.home, phase], { timeout: 60_000, ...options }));
    for (const phase of phases) await prepare(at, role, phase);
    await beforeRun(at, role, '1');
    // Once in its own process, which then saves the compiled code for those that are killed.
    if (role === 'open') await runAlone('1');
    else await runStep(role, at.main, at.home, '1');
    for (const [index, point] of tried.entries()) {
      const phase = phases[index + 1] ?? '';
      await beforeRun(at, role, phase);
      expect((await runAlone(phase, { crashAt: point })).signal, point).toBe('SIGKILL');
      await runStep(role, at.main, at.home, phase);
    }
    const [unharmed, ...others] = await statesOf(at, phases);
    for (const [index, state] of others.entries())
      expect([tried[index], state]).toEqual([tried[index], unharmed]);
  }, 300_000);
});

it('every crash point is in the matrix', () => {
  const sources = readdirSync(join(import.meta.dirname, '../../../src/work/worktrees'), {
    recursive: true,
    encoding: 'utf8',
  });
  const found = sources
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(import.meta.dirname, '../../../src/work/worktrees', name), 'utf8'))
    .flatMap((text) => [...text.matchAll(/crashPoint\('(.+?)'\)/g)].map(([, name]) => name))
    .filter((name) => !/^(?:receive|undo)\./.test(name ?? '')); // in receive-work.test.ts and cli/run/said.test.ts
  expect(new Set(found)).toEqual(new Set(Object.values(points).flat()));
});

/** Brings the worktree of a phase to the start of the step. */
async function prepare({ worktreeContext }: TestRepository, role: Role, phase: string): Promise<void> {
  if (role === 'open') return;
  const worktree = await openWorktree(worktreeContext, loginPhase(phase));
  commit(worktree.path, `work ${phase}`, { [`work-${phase}.txt`]: 'work' });
  if (role !== 'merge') write(worktree.path, { 'build/out.o': 'ignored' });
  if (role !== 'discard') return;
  write(worktree.path, { 'a.txt': 'staged\n' });
  sh(worktree.path, 'add', 'a.txt');
  write(worktree.path, { 'a.txt': 'dirty\n', 'new.txt': 'untracked' });
}

/** A clean-up covers all merged worktrees. */
async function beforeRun({ worktreeContext }: TestRepository, role: Role, phase: string): Promise<void> {
  if (role === 'cleanup')
    await mergeWorktree(worktreeContext, await findWorktree(worktreeContext, { phase, variant: null }));
}

async function statesOf(at: TestRepository, phases: string[]): Promise<string[]> {
  const { main, home, ledger, worktreeContext } = at;
  const repository: RepositoryState = {
    main,
    records: await ledger.worktrees.list(worktreeContext.projectId),
    refs: sh(main, 'for-each-ref', '--format=%(refname)').split('\n'),
    subjects: sh(main, 'log', '--topo-order', '--format=%s', 'login').split('\n'),
    checkouts: sh(main, 'worktree', 'list').split('\n'),
    files: filesBelow(join(home, 'projects')),
  };
  return phases.map((phase) => stateOf(repository, phase));
}

interface RepositoryState {
  main: string;
  records: Worktree[];
  refs: string[];
  subjects: string[];
  checkouts: string[];
  files: string[];
}

/** Everything about a phase that a person could see, without its number. */
function stateOf(
  { main, records, refs, subjects, checkouts, files }: RepositoryState,
  phase: string,
): string {
  const branch = `login--implementation-${phase}`;
  const state = {
    records: records
      .filter((record) => record.branch === branch)
      .map(({ state, path, archiveRef, plan }) => ({
        state,
        there: path !== null && existsSync(path),
        archiveRef,
        plan,
      })),
    refs: refs
      .filter((ref) => ref.endsWith(branch))
      .map((ref) => [
        ref,
        sh(main, 'ls-tree', '-r', '--name-only', ref),
        sh(main, 'log', '-3', '--format=%s', ref),
      ]),
    merges: subjects.filter((subject) => subject.includes(`'${branch}'`)),
    checkouts: checkouts.filter((line) => line.includes(`[${branch}]`)).length,
    folders: files.filter((path) => path.includes(`${branch}-`)),
  };
  return JSON.stringify(state, null, 1)
    .replaceAll(new RegExp(`(implementation|work)-${phase}(?!\\d)`, 'g'), '$1-N')
    .replaceAll(`work ${phase}`, 'work N')
    .replaceAll(/N-[0-9a-f]{12}/g, 'N-HASH');
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.includes('.git'))
    .sort();
}
