import { type ChildProcess, type ExecFileException, execFile, spawn } from 'node:child_process';
import { FermataError } from '../schema/error.ts';
import { systemAdvice } from '../schema/system-fault.ts';

export interface Started {
  env: NodeJS.ProcessEnv;
  /** Git starts before a promised input is there. The promise must not fail. */
  input?: string | Buffer | Promise<string>;
  maxBytes?: number;
  cut?: boolean;
  /** Gets the output piece by piece, however long it is; then `stdout` stays empty. */
  onOutput?: (bytes: Buffer) => void;
  /** Starts git in a sandbox: see `PackSender`. */
  program?: string;
  /** After that, git is killed: an agent can leave a pipe for git to wait on, named .gitignore for example. */
  timeoutMs?: number;
}

export interface Ended {
  code: number;
  stdout: Buffer;
  stderr: string;
}

const MAX_BYTES = 256 * 1024 * 1024;
/** Longer than any command takes, even with large files that a person's own filter downloads. */
const MAX_MS = 30 * 60_000;
const TOO_MUCH = 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';

/** Starts git once, with exactly these arguments and this environment. Only git.ts and its preparation may call this. */
export function startGit(folder: string, args: string[], started: Started): Promise<Ended> {
  const { env, input = '', maxBytes = MAX_BYTES, cut = false, onOutput, program = 'git' } = started;
  const { timeoutMs: timeout = MAX_MS } = started;
  if (onOutput) return startStreaming(folder, args, { env, input, onOutput });
  const limits = { maxBuffer: maxBytes, timeout, killSignal: 'SIGKILL' } as const;
  const settings = { ...limits, cwd: folder, env, encoding: 'buffer' as const };
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, settings, (error, stdout, stderr) => {
      // A git that was ended by a signal has no exit code, which must never count as success.
      const code = error === null || (cut && error.code === TOO_MUCH) ? 0 : error.code;
      if (typeof code === 'number') resolve({ code, stdout, stderr: stderr.toString('utf8') });
      else reject(cannotRun(error, folder, args, maxBytes));
    });
    child.stdin?.on('error', () => undefined); // it may exit without reading; its exit code says why
    void Promise.resolve(input).then((text) => child.stdin?.end(text));
  });
}

async function startStreaming(
  folder: string,
  args: string[],
  { env, input, onOutput }: Required<Pick<Started, 'env' | 'input' | 'onOutput'>>,
): Promise<Ended> {
  const child = spawn('git', args, { cwd: folder, env });
  const over = endOf(child, folder, args);
  if (hasPipes(child)) {
    child.stdin.on('error', () => undefined); // it may exit without reading; its exit code says why
    void Promise.resolve(input).then((text) => child.stdin.end(text));
    child.stdout.on('data', onOutput);
  }
  const ended = await over;
  if (ended.code < 0) throw cannotRun(null, folder, args, MAX_BYTES);
  return ended;
}

function cannotRun(
  error: ExecFileException | null,
  folder: string,
  [command]: string[],
  maxBytes: number,
): FermataError {
  const cause = { cause: error };
  if (error?.code === 'ENOENT') {
    const message = `Cannot start git in ${folder}. Check that git is on the PATH and that the folder exists.`;
    return new FermataError('unavailable', message, cause);
  }
  if (error?.code === TOO_MUCH) {
    return new FermataError('unavailable', `git ${command} printed more than ${maxBytes} bytes.`, cause);
  }
  if (error?.killed) {
    const message = `git ${command} did not end in ${folder}. Look for a .gitignore or .gitattributes there that is a pipe or a device, and remove it.`;
    return new FermataError('unavailable', message, cause);
  }
  const advice = systemAdvice(error);
  const message =
    advice === undefined
      ? `git ${command} was ended by ${error?.signal ?? error?.code}.`
      : `Cannot start git ${command}: ${error?.code}. ${advice}`;
  return new FermataError('unavailable', message, cause);
}

/** If too many files are open, a child has no pipes at all, and `error` follows. */
const hasPipes = (child: ChildProcess) => child.stdio !== undefined;

/** A git in a sandbox, which reads objects that we do not trust. */
export interface PackSender {
  program: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

/** Starts a git whose stdin is what the sender writes. Both are killed after `timeoutMs`; then their code is -1. */
export async function startReceiver(
  folder: string,
  args: string[],
  {
    env,
    sender,
    input,
    timeoutMs,
  }: { env: NodeJS.ProcessEnv; sender: PackSender; input: string; timeoutMs: number },
): Promise<{ sent: Ended; received: Ended }> {
  const limits = { signal: AbortSignal.timeout(timeoutMs), killSignal: 'SIGKILL' } as const;
  const from = spawn(sender.program, sender.args, { ...limits, cwd: '/', env: sender.env });
  const sending = endOf(from, folder, args);
  if (!hasPipes(from)) return { sent: await sending, received: await sending };
  const to = spawn('git', args, { ...limits, cwd: folder, env, stdio: [from.stdout, 'ignore', 'pipe'] });
  from.stdout.destroy();
  from.stdin.on('error', () => undefined); // it may exit without reading; its exit code says why
  from.stdin.end(input);
  const [sent, received] = await Promise.all([sending, endOf(to, folder, args)]);
  return { sent, received };
}

function endOf(child: ChildProcess, folder: string, args: string[]): Promise<Ended> {
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(0, MAX_TEXT);
  });
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      if (error.name !== 'AbortError') reject(cannotRun(error, folder, args, MAX_BYTES));
    });
    child.once('close', (code) => resolve({ code: code ?? -1, stdout: Buffer.alloc(0), stderr }));
  });
}

export interface RemoteEnded {
  code: number;
  stdout: string;
  stderr: string;
  /** It was ended because it took too long, or because nobody waits for it any more. */
  gaveUp: boolean;
}

/** More than a person reads. */
const MAX_TEXT = 1024 * 1024;
const GRACE_MS = 3000;

/**
 * Like `startGit`, for a git that talks to a remote, with a guaranteed end. It has no terminal, so nothing that it starts
 * can wait there for a password, and it is ended together with everything it started.
 */
export function startRemoteGit(
  folder: string,
  args: string[],
  { env, timeoutMs, signal }: { env: NodeJS.ProcessEnv; timeoutMs: number; signal?: AbortSignal },
): Promise<RemoteEnded> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const texts = { stdout: '', stderr: '' };
    let gaveUp = false;
    const end = (how: NodeJS.Signals) => {
      if (child.pid !== undefined && child.exitCode === null) signalGroup(child.pid, how);
    };
    const giveUp = () => {
      gaveUp = true;
      end('SIGTERM');
      setTimeout(end, GRACE_MS, 'SIGKILL').unref();
    };
    const timer = setTimeout(giveUp, timeoutMs);
    signal?.addEventListener('abort', giveUp, { once: true });
    if (signal?.aborted) giveUp();
    const over = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    };
    child.once('error', (error) => {
      over();
      reject(cannotRun(error, folder, args, MAX_TEXT));
    });
    if (!hasPipes(child)) return;
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        texts[name] = (texts[name] + text).slice(-MAX_TEXT);
      });
    }
    // What it leaves behind, such as a shared ssh connection, may keep the pipes open forever.
    child.once('exit', () => {
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, GRACE_MS).unref();
    });
    child.once('close', (code) => {
      over();
      resolve({ code: code ?? -1, ...texts, gaveUp });
    });
  });
}

function signalGroup(pid: number, how: NodeJS.Signals): void {
  try {
    process.kill(-pid, how);
  } catch {
    // It has just exited.
  }
}
