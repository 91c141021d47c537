import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { signalGroup } from '../../agents/process/agent-process.ts';
import { findProgram } from '../../agents/process/program.ts';
import { isOldGit, MIN_GIT } from '../../git/git.ts';
import { reviewers } from '../../work/review/choose-reviewer.ts';
import { type Check, error, ok, warning } from './check.ts';

interface Program {
  name: string;
  needed: boolean;
  fix: string;
  isOld?(version: string): boolean;
}

/** The agents that Fermata can drive, with how to install each. */
const agents: Record<(typeof reviewers)[number], string> = {
  claude: 'To work with Claude Code: npm install -g @anthropic-ai/claude-code',
  codex: 'To work with Codex: npm install -g @openai/codex',
  gemini: 'To let Gemini review phases: npm install -g @google/gemini-cli',
};

const programs: Program[] = [
  {
    name: 'git',
    needed: true,
    fix: `Install git ${MIN_GIT.major}.${MIN_GIT.minor} or newer (https://git-scm.com): worktrees and merges need it.`,
    isOld: isOldGit,
  },
  {
    name: 'gh',
    needed: false,
    fix: 'GitHub issues are read over its REST API instead. For private repositories set GITHUB_TOKEN, or install "gh" (https://cli.github.com) and run: gh auth login',
  },
  ...reviewers.map((name) => ({ name, needed: false, fix: agents[name] })),
];

/** Node, git, gh and the agents, all checked at the same time. */
export async function checkPrograms(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Check[]> {
  const found = await Promise.all(
    programs.map(async (program) => judge(program, await programVersion(program.name, env, signal))),
  );
  return [ok('node', process.version), ...found];
}

function judge(program: Program, found: Found): Check {
  const problem = program.needed ? error : warning;
  switch (found.kind) {
    case 'version':
      if (program.isOld?.(found.version))
        return problem(program.name, `${found.version} is too old`, program.fix);
      return ok(program.name, `${found.version} (${found.path})`);
    case 'missing':
      return problem(program.name, 'not found on the PATH', program.fix);
    case 'silent':
      return problem(
        program.name,
        `${found.path} ${found.why}`,
        `Run "${found.path} --version" yourself, or install it again.`,
      );
    default: {
      const never: never = found;
      return never;
    }
  }
}

type Found =
  | { kind: 'missing' }
  | { kind: 'version'; path: string; version: string }
  | { kind: 'silent'; path: string; why: string };

const LIMIT_MS = 5000;
const LIMIT_BYTES = 64 * 1024;

/** Where a program is, and what its `--version` prints within five seconds. Uses no shell. */
async function programVersion(name: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Found> {
  const path = findProgram(name, env, tmpdir());
  return path === undefined ? { kind: 'missing' } : askVersion(path, env, signal);
}

function askVersion(path: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Found> {
  return new Promise((resolve) => {
    // Its own process group, so that the time limit also ends what a wrapper script has started.
    const child = spawn(path, ['--version'], {
      env,
      cwd: tmpdir(),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const end = (found: Found) => {
      clearTimeout(limit);
      signal.removeEventListener('abort', stop);
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(found);
    };
    const stop = () => end({ kind: 'silent', path, why: 'interrupted' });
    const limit = setTimeout(() => {
      end({ kind: 'silent', path, why: `did not answer --version within ${LIMIT_MS / 1000} s` });
    }, LIMIT_MS);
    const read = (chunk: Buffer) => {
      if (output.length < LIMIT_BYTES) output += chunk;
    };
    signal.addEventListener('abort', stop);
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', (problem) => end({ kind: 'silent', path, why: problem.message }));
    child.on('exit', (code, killed) => {
      // Its last output may still be in the pipe.
      setImmediate(() => end(versionIn(path, output, code ?? killed)));
    });
  });
}

function versionIn(path: string, output: string, code: number | string | null): Found {
  const version = /(?<!\d)\d+\.\d+[\w.+-]*/.exec(output)?.[0];
  if (version !== undefined && code === 0) return { kind: 'version', path, version };
  const [words] = output.trim().split('\n');
  return {
    kind: 'silent',
    path,
    why: `--version ended with ${code}${words ? `: ${words.slice(0, 200)}` : ''}`,
  };
}
