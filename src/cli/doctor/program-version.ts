import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { signalGroup } from '../../agents/process/agent-process.ts';
import { findProgram } from '../../agents/process/program.ts';

export type Found =
  | { kind: 'missing' }
  | { kind: 'version'; path: string; version: string }
  | { kind: 'silent'; path: string; why: string };

const LIMIT_MS = 5000;
const LIMIT_BYTES = 64 * 1024;

/** Where a program is, and what its `--version` prints within five seconds. Uses no shell. */
export async function programVersion(
  name: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Found> {
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
      setImmediate(() => end(judge(path, output, code ?? killed)));
    });
  });
}

function judge(path: string, output: string, code: number | string | null): Found {
  const version = /(?<!\d)\d+\.\d+[\w.+-]*/.exec(output)?.[0];
  if (version !== undefined && code === 0) return { kind: 'version', path, version };
  const [words] = output.trim().split('\n');
  return {
    kind: 'silent',
    path,
    why: `--version ended with ${code}${words ? `: ${words.slice(0, 200)}` : ''}`,
  };
}
