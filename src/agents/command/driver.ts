import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import {
  type AgentDriver,
  type AgentEvent,
  type AgentRun,
  type AgentSetup,
  noUsage,
  type Probe,
  type RunEnd,
} from '../driver.ts';
import { AgentProcess, type Exit } from '../process/agent-process.ts';
import { agentEnvironment } from '../process/environment.ts';
import { findProgram } from '../process/program.ts';
import { type EndCause, interrupted, runEnd } from '../run/end.ts';
import { failedRun, RunShell } from '../run/run-shell.ts';

/** More than any plan; a program that writes more is out of control. */
const MAX_OUTPUT = 16 * 1024 * 1024;

const NOTHING_MORE = /^$/;

/** Any program that takes a prompt on stdin and prints its answer. It has no sessions, and asks only with `fermata ask`. */
export const commandDriver: AgentDriver = {
  name: 'command',

  async probe(setup: AgentSetup): Promise<Probe> {
    const program = setup.program && findProgram(setup.program, setup.env, setup.cwd);
    // We do not run it with --version, because nobody knows what it would do.
    return program ? { found: true, program, version: 'unknown' } : { found: false, message: missing(setup) };
  },

  start(setup: AgentSetup, prompt: string): AgentRun {
    if (setup.mustAsk) return failedRun('cannot_ask', cannotAsk(setup));
    const program = setup.program && findProgram(setup.program, setup.env, setup.cwd);
    if (!program) return failedRun('missing', missing(setup));
    return new CommandRun(program, setup, prompt);
  },

  resume(setup: AgentSetup): AgentRun {
    return failedRun('cannot_ask', cannotAsk(setup));
  },
};

function missing({ program, cwd }: AgentSetup): string {
  if (!program) return 'The agent "command" needs a program. Pass it with --agent-command PROGRAM.';
  const path = resolve(cwd, program);
  if (program.includes('/') && existsSync(path)) {
    const why = statSync(path).isFile()
      ? 'is not executable. Run "chmod +x" on it'
      : 'is not a file. Check the path';
    return `"${program}" ${why}, or pass another with --agent-command PROGRAM.`;
  }
  const words = /\s/.test(program) ? ' The program cannot have arguments here; put them in a script.' : '';
  return `Program "${program}" not found. Install it, or pass another with --agent-command PROGRAM.${words}`;
}

function cannotAsk({ program = 'command' }: AgentSetup): string {
  return `The agent "${program}" cannot ask here, because Fermata only reads what it prints. Use claude, codex or scripted, or leave out --adaptive.`;
}

class CommandRun implements AgentRun {
  readonly ended: Promise<RunEnd>;
  readonly #shell: RunShell;
  readonly #program: string;
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #bytes = 0;

  constructor(program: string, setup: AgentSetup, prompt: string) {
    this.#program = program;
    const process = new AgentProcess({
      program,
      args: setup.args ?? [],
      cwd: setup.cwd,
      env: agentEnvironment(setup, NOTHING_MORE),
      sandbox: setup.sandbox,
    });
    this.#shell = new RunShell(process, { setup, name: () => program, read: (chunk) => this.#read(chunk) });
    this.ended = process.ended.then((exit) => this.#finish(exit));
    void process.writeAll(prompt);
  }

  get events(): AsyncIterable<AgentEvent> {
    return this.#shell.events;
  }

  async answer(): Promise<boolean> {
    return false;
  }

  async permit(): Promise<boolean> {
    return false;
  }

  async interrupt(): Promise<void> {
    this.#shell.end(interrupted(this.#program));
    await this.ended;
  }

  stop(): Promise<RunEnd> {
    this.#shell.stop();
    return this.ended;
  }

  #read(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= MAX_OUTPUT) this.#say(this.#decoder.write(chunk));
    else this.#shell.end({ reason: 'failed', message: tooMuch(this.#program) });
  }

  #say(text: string): void {
    if (text === '') return;
    this.#text += text;
    this.#shell.events.push({ kind: 'text', text });
  }

  #finish(exit: Exit): RunEnd {
    this.#say(this.#decoder.end());
    this.#shell.events.close();
    const { stderrTail } = this.#shell.process;
    const cause = this.#shell.cause ?? this.#judge(exit, stderrTail);
    return runEnd(cause, exit, { text: this.#text, usage: noUsage, stderrTail, skippedLines: 0 });
  }

  #judge({ code, signal }: Exit, stderrTail: string): EndCause {
    const name = this.#program;
    const stderr = stderrTail.trim();
    const more = stderr === '' ? '' : ` It said: ${stderr.slice(-500)}`;
    if (signal) return { reason: 'crashed', message: `${name} was killed by ${signal}.${more}` };
    if (code !== 0) return { reason: 'failed', message: `${name} ended with exit code ${code}.${more}` };
    if (this.#text.trim() === '')
      return { reason: 'no_result', message: `${name} ended without an answer.${more}` };
    return { reason: 'ok', message: `${name} is done.` };
  }
}

const tooMuch = (program: string) => `${program} wrote more than ${MAX_OUTPUT} bytes and was stopped.`;
