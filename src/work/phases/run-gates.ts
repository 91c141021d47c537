import { AgentProcess, type Exit } from '../../agents/process/agent-process.ts';
import { gateEnvironment } from '../../agents/process/environment.ts';
import { findProgram } from '../../agents/process/program.ts';
import { sandboxFor } from '../../agents/sandbox/sandbox.ts';
import { MAX_TIMER } from '../../config/duration.ts';
import { personalConfig } from '../../config/personal-config.ts';
import type { Gate } from '../../plan/grammar/plan.ts';
import { FermataError } from '../../schema/error.ts';
import type { GateRun } from '../../schema/phase-record.ts';
import { traced } from '../../telemetry/trace.ts';
import { isSignalFromOutside } from '../run/faults.ts';

/** A command that has to succeed; null if the gate is only described in words. */
export type GateCommand = Pick<Gate, 'name' | 'command'>;

/** How much of a long output is kept: its beginning and its end. */
const HEAD = 16 * 1024;
const TAIL = 48 * 1024;

/** Runs all gate commands exactly as written, one after another. */
export async function runGates(
  gates: readonly GateCommand[],
  cwd: string,
  limits: { timeoutMs: number; signal?: AbortSignal },
  tell: (sentence: string) => void = () => undefined,
): Promise<GateRun[]> {
  const runs: GateRun[] = [];
  for (const gate of gates) {
    if (limits.signal?.aborted) break;
    tell(`gate command ${gate.name}: ${gate.command ?? '(none)'}`);
    runs.push(await traced('gate', { gate: gate.name }, () => runGate(gate, cwd, limits)));
  }
  return runs;
}

async function runGate(
  { name, command }: GateCommand,
  cwd: string,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
): Promise<GateRun> {
  if (command === null) {
    return { name, command, passed: false, exit_code: null, problem: 'no_command', seconds: 0, output: '' };
  }
  const begun = Date.now();
  const shell = findProgram('bash', process.env, cwd) ?? '/bin/sh';
  // Includes what it writes to stderr.
  const running = new AgentProcess({
    program: shell,
    args: ['-c', `exec 2>&1\n${command}`],
    cwd,
    env: gateEnvironment(process.env, personalConfig(process.env).agentEnvironment),
    sandbox: sandboxFor(process.env, cwd),
  });
  running.endInput();
  let ended: 'timed_out' | 'interrupted' | undefined;
  const end = (why: typeof ended) => {
    ended ??= why;
    void running.stop('SIGTERM', 2000);
  };
  const interrupt = () => end('interrupted');
  void running.unattended.then(interrupt);
  const timer = setTimeout(() => end('timed_out'), Math.min(timeoutMs, MAX_TIMER));
  signal?.addEventListener('abort', interrupt);
  try {
    const output = new BothEnds();
    running.stdout.on('data', (chunk: Buffer) => output.add(chunk));
    const exit = await running.ended;
    const { code, notStarted } = exit;
    if (notStarted !== undefined)
      throw new FermataError('unavailable', `Gate command ${name}: ${notStarted}`);
    const problem = ended ?? (code === 0 ? undefined : isKilled(exit) ? 'killed' : 'failed');
    const seconds = (Date.now() - begun) / 1000;
    const result = {
      name,
      command,
      passed: problem === undefined,
      exit_code: code,
      seconds,
      output: output.text(),
    };
    return problem ? { ...result, problem } : result;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', interrupt);
  }
}

/** A shell reports a killed command as 128 plus the signal number. */
const KILLED = 128 + 9;

/** Something outside killed it, such as the system when out of memory, so the result says nothing about the work. */
const isKilled = ({ code, signal }: Exit) => code === KILLED || isSignalFromOutside(signal);

/** Keeps the beginning and the end of a stream. */
class BothEnds {
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #left = 0;

  add(chunk: Buffer): void {
    const room = HEAD - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    const rest = chunk.subarray(Math.max(0, room));
    if (rest.length === 0) return;
    const all = Buffer.concat([this.#tail, rest]);
    this.#tail = all.subarray(-TAIL);
    this.#left += all.length - this.#tail.length;
  }

  text(): string {
    const gap = this.#left > 0 ? `\n… ${this.#left} bytes omitted …\n` : '';
    return this.#head.toString('utf8') + gap + this.#tail.toString('utf8');
  }
}
