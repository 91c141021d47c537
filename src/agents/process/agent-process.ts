import { ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { type Duplex, PassThrough, type Readable, type Writable } from 'node:stream';
import { systemAdvice } from '../../schema/system-fault.ts';
import { type Sandbox, sandboxArguments } from '../sandbox/arguments.ts';
import { ownProgram } from './program.ts';

interface ProcessOptions {
  program: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Runs the program in a sandbox. Without one, it has its caller's rights. */
  sandbox?: Sandbox;
}

/** How a process ended, as the system reports it. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** A sentence, if the system did not start the program. */
  notStarted?: string;
}

/** How much of stderr is kept for the error message. */
const STDERR_TAIL = 16 * 1024;
/** After a program has ended, we stop waiting once no output has come for this long. */
const LAST_OUTPUT_MS = 1000;
/** How often we send a heartbeat. The leash misses many of them before it ends the program. */
const BEAT_MS = 1000;
/** How long a program may take to exit after SIGTERM. */
const GRACE_MS = 5000;

/**
 * An agent's program in its own process group, on a leash: it ends when we end, however that happens, and when we are
 * suspended for so long that another process may take our work.
 */
export class AgentProcess {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly ended: Promise<Exit>;
  /** Settles before `ended` if the leash ended the program because our heartbeat stopped, for example while we were suspended. */
  readonly unattended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #stdin: Writable;
  #stderr = Buffer.alloc(0);
  #exit: Exit | undefined;
  /** True once the program has ended, because another process may have its pid by then. */
  #isGone = false;

  constructor(options: ProcessOptions) {
    const { child, stdin, stdout, stderr, lifeline } = leashed(options);
    this.#child = child;
    this.#stdin = stdin;
    this.stdout = stdout;
    this.stderr = stderr;
    stdin.on('error', () => undefined); // it ended without reading; its exit says why
    let refused: string | undefined;
    this.unattended = keepAlive(lifeline, (why) => {
      refused = why;
    });
    stderr.on('data', (chunk: Buffer) => {
      this.#stderr = Buffer.concat([this.#stderr, chunk]).subarray(-STDERR_TAIL);
    });
    this.ended = new Promise((resolve) => {
      const notStarted = (why: string) =>
        resolve({ code: 127, signal: null, notStarted: `Cannot start ${options.program}: ${why}` });
      child.once('error', (error) => notStarted(whyNotStarted(error)));
      child.once('exit', (code, signal) => {
        this.#exit = { code, signal };
        // What the agent left running would keep our pipes open and outlive it.
        this.#signal('SIGKILL');
        this.#releasePipes(stdout as Socket, stderr as Socket);
      });
      child.once('close', (code, signal) => {
        this.#isGone = true;
        if (refused === undefined) resolve({ code, signal });
        else notStarted(refused);
      });
    });
  }

  /** Writes one line; resolves to true when the pipe has it, to false if the program is gone. */
  writeLine(line: string): Promise<boolean> {
    return new Promise((resolve) => {
      if (this.#exit || this.#stdin.destroyed) resolve(false);
      else this.#stdin.write(`${line}\n`, (error) => resolve(!error));
    });
  }

  writeAll(text: string): Promise<boolean> {
    return new Promise((resolve) => this.#stdin.end(text, () => resolve(!this.#exit)));
  }

  /** Writes what `from` sends, and pauses `from` while the program does not read. */
  write(content: Buffer, from: Readable): void {
    const stdin = this.#stdin;
    if (this.#exit || stdin.destroyed || stdin.write(content) || from.isPaused()) return;
    from.pause();
    const resume = () => {
      stdin.off('drain', resume).off('close', resume);
      from.resume();
    };
    stdin.on('drain', resume).on('close', resume);
  }

  endInput(): void {
    this.#stdin.end();
  }

  /** The last of what it wrote to stderr. */
  get stderrTail(): string {
    return this.#stderr.toString('utf8');
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Sends SIGTERM to the whole group, and SIGKILL if that does not help. */
  async stop(signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM', graceMs = GRACE_MS): Promise<Exit> {
    this.#signal(signal);
    const timer = setTimeout(() => this.#signal('SIGKILL'), graceMs);
    try {
      return await this.ended;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the whole group at once, before it can notice that its input is gone. */
  async kill(): Promise<Exit> {
    this.#signal('SIGKILL');
    return this.ended;
  }

  /** Stops waiting for the pipes once nothing comes through, because processes in other groups may keep them open. */
  #releasePipes(stdout: Socket, stderr: Socket): void {
    let read = -1;
    const timer = setInterval(() => {
      const now = stdout.bytesRead + stderr.bytesRead;
      const isQuiet = now === read && stdout.readableLength === 0 && stderr.readableLength === 0;
      read = now;
      if (!isQuiet) return;
      clearInterval(timer);
      // Readers see a normal end of the stream; nobody reads what comes later.
      for (const pipe of [stdout, stderr]) {
        pipe.on('error', () => undefined);
        pipe.push(null);
      }
    }, LAST_OUTPUT_MS);
    void this.ended.then(() => clearInterval(timer));
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid !== undefined && !this.#isGone) signalGroup(pid, signal);
  }
}

interface Leashed {
  child: ChildProcess;
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  lifeline: Duplex;
}

/**
 * Starts the program. If the system refuses, `child` emits `error`: for some reasons Node throws instead, and for others
 * it opens no pipes.
 */
function leashed(options: ProcessOptions): Leashed {
  const child = spawned(options);
  const [stdin, stdout, stderr, lifeline] = child.stdio ?? [];
  return {
    child,
    stdin: stdin ?? closedPipe(),
    stdout: stdout ?? closedPipe(),
    stderr: stderr ?? closedPipe(),
    lifeline: (lifeline as Duplex | undefined) ?? closedPipe(),
  };
}

function spawned(options: ProcessOptions): ChildProcess {
  const args = [ownProgram('leash.cjs'), ...commandLine(options)];
  const { cwd, env } = options;
  try {
    return spawn(process.execPath, args, {
      cwd,
      env: { ...env },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    const none = new ChildProcess();
    process.nextTick(() => none.emit('error', error));
    return none;
  }
}

const closedPipe = () => new PassThrough().end();

function whyNotStarted(error: NodeJS.ErrnoException): string {
  const { code = '', message } = error;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'the program, its interpreter or its folder was not found.';
    case 'E2BIG':
      return 'its arguments are too long. Shorten them.';
    case 'ERR_INVALID_ARG_VALUE':
      return 'its arguments, folder or environment contain a NUL character.';
    default:
      return [message, systemAdvice(error)].filter(Boolean).join(': ');
  }
}

function commandLine({ program, args, cwd, sandbox }: ProcessOptions): string[] {
  return [
    ...(sandbox ? [sandbox.bwrap, ...sandboxArguments(sandbox, { program, cwd })] : []),
    program,
    ...args,
  ];
}

/**
 * Sends heartbeats while the program runs; resolves when the leash reports that it missed them. Pending input is read
 * before each write, because after a suspension a write to a closed leash would lose its last message. `refused` gets the
 * reason if the leash could not start the program.
 */
function keepAlive(lifeline: Duplex, refused: (why: string) => void): Promise<void> {
  lifeline.on('error', () => undefined); // the program is gone; its exit says why
  const beat = () => lifeline.writable && lifeline.write(`${Date.now()}\n`);
  const timer = setInterval(() => setImmediate(beat), BEAT_MS).unref();
  lifeline.once('close', () => clearInterval(timer));
  return new Promise((resolve) => {
    lifeline.once('data', (said: Buffer) => {
      const [word, code, ...message] = said.toString('utf8').split(' ');
      if (word === 'silence') resolve();
      else refused(whyNotStarted(Object.assign(new Error(message.join(' ')), { code })));
    });
  });
}

/**
 * Sends a signal to a process we started and to everything in its group. Ignores a group that is gone: macOS says `EPERM`
 * instead of `ESRCH` while only zombies are left in it.
 */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
