import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { describeLimit, LONGEST_TIMER } from '../../config/duration.ts';
import {
  type AgentDriver,
  type AgentEvent,
  type AgentRun,
  type AgentSetup,
  type EndReason,
  noUsage,
  type Probe,
  type RunEnd,
} from '../driver.ts';
import { EventQueue } from '../event-queue.ts';
import { AgentProcess, type Exit } from '../process/agent-process.ts';
import { agentEnvironment } from '../process/environment.ts';
import { findProgram } from '../process/program.ts';
import { failedRun } from './failed-run.ts';

/** More than any plan; what writes more has run away. */
const MOST_OUTPUT = 16 * 1024 * 1024;

const NOTHING_MORE = /^$/;

/** Any program that takes a prompt on stdin and prints its answer. It cannot ask, and has no sessions. */
export const commandDriver: AgentDriver = {
  name: 'command',

  async probe(setup: AgentSetup): Promise<Probe> {
    const program = setup.program && findProgram(setup.program, setup.env, setup.cwd);
    // Nobody knows what it would do with --version, so it is not asked.
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
  if (!program) return 'The agent "command" needs a program: name it with --agent-command PROGRAM.';
  const path = resolve(cwd, program);
  if (program.includes('/') && existsSync(path)) {
    const why = statSync(path).isFile() ? 'cannot be executed: chmod +x lets it' : 'is no file';
    return `"${program}" ${why}, or name another with --agent-command PROGRAM.`;
  }
  const words = /\s/.test(program) ? ' It is started as it is: put arguments into a script.' : '';
  return `There is no program "${program}": install it, or name another with --agent-command PROGRAM.${words}`;
}

function cannotAsk({ program = 'command' }: AgentSetup): string {
  return `The agent program "${program}" takes a prompt and prints text: it has no way to ask a question, and no session to bring an answer to. Use claude, codex or scripted, or run it where it need not ask.`;
}

/** Why we ended it, where we did. */
type Cause = 'stopped' | 'interrupted' | 'timed_out' | 'too_much';

class CommandRun implements AgentRun {
  readonly events = new EventQueue<AgentEvent>();
  readonly ended: Promise<RunEnd>;
  readonly #process: AgentProcess;
  readonly #setup: AgentSetup;
  readonly #program: string;
  #cause: Cause | undefined;
  #text = '';
  #bytes = 0;

  constructor(program: string, setup: AgentSetup, prompt: string) {
    this.#program = program;
    this.#setup = setup;
    this.#process = new AgentProcess({
      program,
      args: setup.args ?? [],
      cwd: setup.cwd,
      env: agentEnvironment(setup.env, NOTHING_MORE, setup.identity ?? {}),
    });
    void this.#process.unattended.then(() => this.stop());
    void this.#process.writeAll(prompt);
    this.ended = this.#follow();
  }

  async answer(): Promise<boolean> {
    return false;
  }

  async permit(): Promise<boolean> {
    return false;
  }

  async interrupt(): Promise<void> {
    await this.#stop('interrupted');
  }

  async stop(): Promise<RunEnd> {
    await this.#stop('stopped');
    return this.ended;
  }

  async #follow(): Promise<RunEnd> {
    const { timeoutMs } = this.#setup;
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => void this.#stop('timed_out'), Math.min(timeoutMs, LONGEST_TIMER));
    try {
      await this.#read();
      return this.#end(await this.#process.ended);
    } finally {
      clearTimeout(timer);
      this.events.close();
    }
  }

  async #read(): Promise<void> {
    const decoder = new StringDecoder('utf8');
    for await (const chunk of this.#process.stdout as AsyncIterable<Buffer>) {
      this.#bytes += chunk.length;
      if (this.#bytes <= MOST_OUTPUT) this.#say(decoder.write(chunk));
      // Not awaited: it ends only when the rest is read, too.
      else if (this.#cause === undefined) void this.#stop('too_much');
    }
    this.#say(decoder.end());
  }

  #say(text: string): void {
    if (text === '') return;
    this.#text += text;
    this.events.push({ kind: 'text', text });
  }

  async #stop(cause: Cause): Promise<void> {
    this.#cause ??= cause;
    await this.#process.stop();
  }

  #end(exit: Exit): RunEnd {
    const { reason, message } = this.#judge(exit);
    return {
      reason,
      message,
      text: this.#text,
      usage: noUsage,
      exitCode: exit.code,
      signal: exit.signal,
      stderrTail: this.#process.stderrTail,
      skippedLines: 0,
    };
  }

  #judge({ code, signal }: Exit): { reason: EndReason; message: string } {
    const name = this.#program;
    switch (this.#cause) {
      case 'stopped':
        return { reason: 'stopped', message: `${name} was stopped.` };
      case 'interrupted':
        return { reason: 'interrupted', message: `${name} was interrupted.` };
      case 'timed_out':
        return {
          reason: 'timed_out',
          message: `${name} was not done after ${describeLimit((this.#setup.timeoutMs ?? 0) / 1000)}.`,
        };
      case 'too_much':
        return { reason: 'failed', message: `${name} wrote more than ${MOST_OUTPUT} bytes and was stopped.` };
      case undefined:
        break;
    }
    const said = this.#process.stderrTail.trim();
    const more = said === '' ? '' : ` It said: ${said.slice(-500)}`;
    if (signal) return { reason: 'crashed', message: `${name} was killed by ${signal}.${more}` };
    if (code !== 0) return { reason: 'failed', message: `${name} ended with exit code ${code}.${more}` };
    if (this.#text.trim() === '')
      return { reason: 'no_result', message: `${name} ended without an answer.${more}` };
    return { reason: 'ok', message: `${name} is done.` };
  }
}
