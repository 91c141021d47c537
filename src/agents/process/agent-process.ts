import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { type Sandbox, sandboxArguments } from '../sandbox/arguments.ts';
import { ownProgram } from './own-program.ts';
import { signalGroup } from './signal-group.ts';

export interface ProcessOptions {
  program: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Runs it inside; without one it has the rights of its caller. */
  sandbox?: Sandbox;
}

/** How a process ended, as the system tells it. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** How much of stderr is kept for the error message. */
const STDERR_TAIL = 16 * 1024;
/** For so long after the end of a program nothing more may have come of it. */
const LAST_OUTPUT_MS = 1000;
/** How often we say that we live. The leash waits for many of these before it ends the program. */
const BEAT_MS = 1000;
/** How long a program may take to end after a polite signal. */
const GRACE_MS = 5000;

/**
 * An agent's program in its own process group, on a leash: it ends when we end, however that happens, and when we are
 * suspended for so long that others may take our work up.
 */
export class AgentProcess {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly ended: Promise<Exit>;
  /** Settled before `ended` where it was ended because we gave no sign of life, as while we were suspended. */
  readonly unattended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #stdin: Writable;
  #stderr = Buffer.alloc(0);
  #exit: Exit | undefined;
  /** Its number may be another's by now. */
  #isGone = false;

  constructor(options: ProcessOptions) {
    const env = { ...options.env };
    const child = spawn(process.execPath, [ownProgram('leash.cjs'), ...commandLine(options)], {
      cwd: options.cwd,
      env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    const { stdin, stdout, stderr } = child;
    this.#child = child;
    this.#stdin = stdin;
    this.stdout = stdout;
    this.stderr = stderr;
    stdin.on('error', () => undefined); // it ended without reading; its exit says why
    this.unattended = keepAlive(child.stdio[3] as Socket);
    stderr.on('data', (chunk: Buffer) => {
      this.#stderr = Buffer.concat([this.#stderr, chunk]).subarray(-STDERR_TAIL);
    });
    this.ended = new Promise((resolve) => {
      child.once('error', () => resolve({ code: 127, signal: null }));
      child.once('exit', (code, signal) => {
        this.#exit = { code, signal };
        // What the agent left running would keep our pipes open and outlive it.
        this.#signal('SIGKILL');
        this.#letGo(stdout as Socket, stderr as Socket);
      });
      child.once('close', (code, signal) => {
        this.#isGone = true;
        resolve({ code, signal });
      });
    });
  }

  /** Writes one line; resolves when it was handed to the program's pipe, false when the program is gone. */
  writeLine(line: string): Promise<boolean> {
    return new Promise((resolve) => {
      if (this.#exit || this.#stdin.destroyed) resolve(false);
      else this.#stdin.write(`${line}\n`, (error) => resolve(!error));
    });
  }

  writeAll(text: string): Promise<boolean> {
    return new Promise((resolve) => this.#stdin.end(text, () => resolve(!this.#exit)));
  }

  /** Writes what `from` sends, and holds `from` up while the program does not read. */
  write(content: Buffer, from: Readable): void {
    if (this.#exit || this.#stdin.destroyed || this.#stdin.write(content)) return;
    from.pause();
    this.#stdin.once('drain', () => from.resume());
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

  /** Sends TERM to the whole group, KILL when that did not help. */
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

  /** What it started in a group of its own may still hold the pipes: once nothing comes through them, nobody waits. */
  #letGo(stdout: Socket, stderr: Socket): void {
    let read = -1;
    const timer = setInterval(() => {
      const now = stdout.bytesRead + stderr.bytesRead;
      const isQuiet = now === read && stdout.readableLength === 0 && stderr.readableLength === 0;
      read = now;
      if (!isQuiet) return;
      clearInterval(timer);
      // An end like any other for who reads; what comes after it is nobody's.
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

function commandLine({ program, args, cwd, sandbox }: ProcessOptions): string[] {
  return [
    ...(sandbox ? [sandbox.bwrap, ...sandboxArguments(sandbox, { program, cwd })] : []),
    program,
    ...args,
  ];
}

/**
 * Says when we live, for as long as the program does; resolves when the leash says that it has not heard it. Each time
 * what has come is read first: after we were suspended, a write to a leash that is gone would lose its last words.
 */
function keepAlive(lifeline: Socket): Promise<void> {
  lifeline.on('error', () => undefined); // the program is gone; its exit says why
  const beat = () => lifeline.writable && lifeline.write(`${Date.now()}\n`);
  const timer = setInterval(() => setImmediate(beat), BEAT_MS).unref();
  lifeline.once('close', () => clearInterval(timer));
  return new Promise((resolve) => {
    lifeline.once('data', () => resolve());
  });
}
