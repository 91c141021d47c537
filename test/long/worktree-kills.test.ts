import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { signalGroup } from '../../src/agents/process/agent-process.ts';
import { openWorktree } from '../../src/work/worktrees/open-worktree.ts';
import { bundledProgram, type Program } from '../support/bundled-program.ts';
import { findContents, missing, takeInventory } from '../work/support/inventory.ts';
import {
  commit,
  freshRepository,
  loginPhase,
  sh,
  type TestRepository,
  write,
} from '../work/support/repository.ts';

const COUNT = 100;

let program: Program;
beforeAll(async () => {
  program = await bundledProgram(join(import.meta.dirname, '../work/support/program.ts'));
}, 120_000);

it('VAR-3 100 discards, each killed together with its git at any moment, up to five times: the last try finishes, and no byte is lost', async () => {
  const at = await freshRepository();
  let kills = 0;
  for (let number = 1; number <= COUNT; number++) {
    const wanted = loginPhase(`${number}`, null, null);
    const { path, branch } = await openWorktree(at.worktreeContext, wanted);
    commit(path, `work ${number}`, { [`work-${number}.txt`]: `work ${number}` });
    write(path, { 'a.txt': `dirty ${number}\n`, 'new.txt': `new ${number}`, 'build/out.o': `out ${number}` });
    const before = takeInventory(path);
    for (let attempt = 1; attempt <= 5; attempt++) {
      if (await killedAfter(at, `${number}`, 40 + Math.random() * 700)) kills++;
      removeLeftLocks(at.main);
    }
    expect(await killedAfter(at, `${number}`, 60_000)).toBe(false);
    expect(sh(at.main, 'branch', '--list', branch, `archive/${branch}*`)).toBe(`  archive/${branch}`);
    expect(sh(at.main, 'worktree', 'list', '--porcelain')).not.toContain(path);
    expect(existsSync(path)).toBe(false);
    expect(missing(before, findContents(at.main, at.worktreeContext.storage))).toEqual([]);
  }
  expect(kills).toBeGreaterThan(COUNT / 2);
}, 3_600_000);

/** Runs a discard in its own process group and kills the whole group; false if it had already succeeded. */
async function killedAfter({ main, home }: TestRepository, phase: string, ms: number): Promise<boolean> {
  const child = spawn(process.execPath, [program.file, 'discard', main, home, phase], {
    detached: true,
    stdio: 'pipe',
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const timer = setTimeout(() => {
    if (child.pid) signalGroup(child.pid, 'SIGKILL');
  }, ms);
  const [code, signal] = await once(child, 'close');
  clearTimeout(timer);
  if (signal === 'SIGKILL') return true;
  // A discard that is done is not on record any more.
  expect(code === 0 || said.includes("code: 'not_found'"), said).toBe(true);
  return false;
}

/** As git's own error message advises, remove the lock when no git is running. */
function removeLeftLocks(main: string): void {
  const git = join(main, '.git');
  for (const name of readdirSync(git, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.lock')) rmSync(join(git, name), { force: true });
  }
}
