import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { sandboxArguments } from '../../../src/agents/sandbox/arguments.ts';
import { agentStore } from '../../../src/agents/sandbox/git-mounts.ts';
import { sandboxFolder, sandboxFor } from '../../../src/agents/sandbox/sandbox.ts';
import { type OpenWorktree, openWorktree } from '../../../src/work/worktrees/open-worktree.ts';
import { skipWithoutSandbox } from '../../support/sandbox.ts';
import { freshRepository, identity, loginPhase, sh, type TestRepository } from './repository.ts';

/**
 * For an agent's script: `forge PATH TEXT` stores TEXT as the object of the file at PATH, under the name of what the file
 * contains; `ID=… forge …` under another name.
 */
const FORGE = `
forge() {
  ID=\${ID:-$(git hash-object "$1")} TEXT="$2" OBJECTS="$(git rev-parse --git-path objects)" node -e '
    const fs = require("fs"), { ID, TEXT, OBJECTS } = process.env, folder = OBJECTS + "/" + ID.slice(0, 2);
    fs.mkdirSync(folder, { recursive: true });
    fs.rmSync(folder + "/" + ID.slice(2), { force: true });
    fs.writeFileSync(folder + "/" + ID.slice(2), require("zlib").deflateSync("blob " + Buffer.byteLength(TEXT) + "\\0" + TEXT));'
}
`;

/** The exit code of a shell that was killed with SIGKILL. */
const KILLED = 137;

interface SandboxedWork extends TestRepository {
  worktree: OpenWorktree;
  store: ReturnType<typeof agentStore>;
  /** The folder of the sandbox. */
  own: string;
  /** Runs a script as a sandboxed agent of the worktree, and returns what it prints. */
  agent(script: string): string;
  git(...args: string[]): string;
}

/** A worktree for a sandboxed agent; skips the test if no sandbox can be made here. */
export async function sandboxedWork(skip: (note: string) => never): Promise<SandboxedWork> {
  const repository = await freshRepository();
  const { main, home, worktreeContext } = repository;
  const person = join(home, '../person');
  mkdirSync(person);
  const env = { FERMATA_HOME: home, FERMATA_SANDBOX: '1', HOME: person };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  skipWithoutSandbox(skip);
  const worktree = await openWorktree(worktreeContext, loginPhase('1'));
  const own = sandboxFolder(process.env, worktree.path);
  const agent = (script: string) => {
    const sandbox = sandboxFor(process.env, worktree.path, { commits: true });
    if (!sandbox) throw new Error('no sandbox');
    const args = sandboxArguments(sandbox, { program: '/bin/sh', cwd: worktree.path });
    const { status, stdout, stderr } = spawnSync(
      sandbox.bwrap,
      [...args, '/bin/sh', '-ec', `${FORGE}\n${script}`],
      {
        env: { ...process.env, ...identity },
        encoding: 'utf8',
      },
    );
    if (status !== 0 && status !== KILLED) throw new Error(`exit code ${status}: ${stderr}`);
    return stdout.trim();
  };
  const git = (...args: string[]) => sh(main, ...args);
  return { ...repository, worktree, store: agentStore(own), own, agent, git };
}
