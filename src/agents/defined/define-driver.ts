import { LineSplitter } from '../../files/line-splitter.ts';
import type { Notification } from '../../schema/notification.ts';
import {
  type AgentDriver,
  type AgentEvent,
  type AgentRun,
  type AgentSetup,
  addUsage,
  noUsage,
  type Probe,
  type Remark,
  type RunEnd,
} from '../driver.ts';
import { AgentProcess, type Exit } from '../process/agent-process.ts';
import { agentEnvironment } from '../process/environment.ts';
import { findProgram } from '../process/program.ts';
import { restated } from '../questions/answer-text.ts';
import { crashed, type EndCause, interrupted, runEnd } from '../run/end.ts';
import { failedRun, RunShell } from '../run/run-shell.ts';

/** How to start an agent's program. */
export interface Launch {
  args: string[];
  /** Written to its stdin, one line each; stdin stays open for answers. */
  input?: string[];
}

/** What a line of an agent's output means. `done` and `failed` end the run. */
export type Reading = AgentEvent | { kind: 'done'; text: string } | { kind: 'failed'; message: string };

/** An answer for an agent: in words, with what people said besides, and as it is stored. */
export interface Told {
  text: string;
  notifications: Notification[];
}

/** One agent program that prints lines and reads lines. */
export interface DriverDefinition {
  name: string;
  /** The program, as a name on the PATH or a path; `AgentSetup.program` takes precedence. */
  program: string;
  /** The names of variables that its process may see besides the common ones, such as its API key. */
  environment?: RegExp;
  start(prompt: string, setup: AgentSetup): Launch;
  /** Delivers answers to a session whose process is gone. */
  resume(sessionId: string, told: Told, setup: AgentSetup): Launch;
  /** Reads one line of its output. If it throws, the line is counted and skipped. */
  read(line: string): Reading[];
  /** The line that answers a question of its `question` event. */
  answer(askId: string, told: Told): string;
  /** The line that decides a `permission` event. Without it, the agent's program must not ask for permissions. */
  permit?(id: string, allowed: boolean, remark: Remark): string;
}

/**
 * Makes a driver for your own agent program, so that Fermata holds, answers, resumes and ends it like any other. Its
 * process runs in its own group and ends with ours; its questions outlive it.
 */
export function defineDriver(definition: DriverDefinition): AgentDriver {
  const { name } = definition;
  const probe = (setup: AgentSetup): Probe => {
    const wanted = setup.program ?? definition.program;
    const program = findProgram(wanted, setup.env, setup.cwd);
    if (program) return { found: true, program, version: 'unknown' };
    return { found: false, message: `${name}: program "${wanted}" not found. Install it.` };
  };
  const launch = (setup: AgentSetup, how: () => Launch) => {
    const probed = probe(setup);
    if (!probed.found) return failedRun('missing', probed.message);
    return new DefinedRun(definition, probed.program, setup, how());
  };
  return {
    name,
    probe: async (setup) => probe(setup),
    start: (setup, prompt) => launch(setup, () => definition.start(prompt, setup)),
    resume(setup, { sessionId }, settled, words) {
      if (sessionId === undefined)
        return failedRun('session_lost', `${name} did not report a session, so it cannot be resumed.`);
      const told = { text: restated(settled, words), notifications: settled };
      return launch(setup, () => definition.resume(sessionId, told, setup));
    },
  };
}

const NOTHING_MORE = /^$/;
/** How long a program may take to exit after its last line. */
const END_GRACE_MS = 2000;

/** One process of an agent whose driver is defined by how to read and write its lines. */
class DefinedRun implements AgentRun {
  readonly ended: Promise<RunEnd>;
  readonly received: Promise<boolean>;
  readonly #definition: DriverDefinition;
  readonly #setup: AgentSetup;
  readonly #shell: RunShell;
  readonly #lines = new LineSplitter(
    (bytes, start, end) => this.#line(bytes.toString('utf8', start, end)),
    () => this.#skip(),
  );
  /** Questions and permissions that the agent waits for. */
  readonly #open = new Set<string>();
  /** Called with whether the agent has said anything since. */
  #proofs: ((has: boolean) => void)[] = [];
  #parking: NodeJS.Timeout | undefined;
  #ending: NodeJS.Timeout | undefined;
  /** How the agent said that it ended. */
  #outcome: EndCause | undefined;
  #sessionId: string | undefined;
  #text = '';
  #usage = noUsage;
  #skippedLines = 0;

  constructor(definition: DriverDefinition, program: string, setup: AgentSetup, launch: Launch) {
    this.#definition = definition;
    this.#setup = setup;
    const process = new AgentProcess({
      program,
      args: [...(setup.args ?? []), ...launch.args],
      cwd: setup.cwd,
      env: agentEnvironment(setup, definition.environment ?? NOTHING_MORE),
      sandbox: setup.sandbox,
    });
    this.#shell = new RunShell(process, {
      setup,
      name: () => definition.name,
      read: (chunk) => this.#lines.push(chunk),
    });
    this.received = this.#proof();
    for (const line of launch.input ?? []) void process.writeLine(line);
    this.ended = process.ended.then((exit) => this.#close(exit));
  }

  get events(): AsyncIterable<AgentEvent> {
    return this.#shell.events;
  }

  answer(askId: string, settled: Notification): Promise<boolean> {
    const told = { text: restated([settled]), notifications: [settled] };
    return this.#reply(askId, this.#definition.answer(askId, told));
  }

  permit(id: string, allowed: boolean, remark: Remark = {}): Promise<boolean> {
    const line = this.#definition.permit?.(id, allowed, remark);
    return line === undefined ? Promise.resolve(false) : this.#reply(id, line);
  }

  async interrupt(): Promise<void> {
    this.#shell.end(interrupted(this.#definition.name));
  }

  stop(): Promise<RunEnd> {
    this.#shell.stop();
    return this.ended;
  }

  /** The agent has an answer once it says anything after it. */
  async #reply(askId: string, line: string): Promise<boolean> {
    if (!this.#open.delete(askId)) return false;
    this.#keepTime();
    const proof = this.#proof();
    return (await this.#shell.process.writeLine(line)) && proof;
  }

  #proof(): Promise<boolean> {
    return new Promise((resolve) => this.#proofs.push(resolve));
  }

  #prove(has: boolean): void {
    for (const proof of this.#proofs.splice(0)) proof(has);
  }

  #close(exit: Exit): RunEnd {
    this.#lines.end();
    clearTimeout(this.#parking);
    clearTimeout(this.#ending);
    this.#prove(false);
    this.#shell.events.close();
    const { stderrTail } = this.#shell.process;
    const cause = this.#outcome ?? this.#shell.cause ?? crashed(this.#definition.name, exit, stderrTail);
    return runEnd(cause, exit, {
      sessionId: this.#sessionId,
      text: this.#text,
      usage: this.#usage,
      stderrTail,
      skippedLines: this.#skippedLines,
    });
  }

  #skip(): void {
    this.#skippedLines += 1;
  }

  #line(line: string): void {
    if (line.trim() === '' || this.#isOver) return;
    let readings: Reading[];
    try {
      readings = this.#definition.read(line);
    } catch {
      // Not a line of the agent's protocol, such as a warning of its runtime.
      this.#skip();
      return;
    }
    if (readings.length > 0) this.#prove(true);
    for (const reading of readings) this.#hear(reading);
    this.#keepTime();
  }

  #hear(reading: Reading): void {
    switch (reading.kind) {
      case 'done':
        this.#text = reading.text;
        this.#finish({ reason: 'ok', message: `${this.#definition.name} is done.` });
        return;
      case 'failed':
        this.#finish({ reason: 'failed', message: reading.message });
        return;
      case 'session':
        this.#sessionId = reading.sessionId;
        break;
      case 'text':
        this.#text = reading.text;
        break;
      case 'usage':
        this.#usage = addUsage(this.#usage, reading.usage);
        break;
      case 'question':
        this.#open.add(reading.ask.id);
        break;
      case 'permission':
        this.#open.add(reading.id);
        break;
      case 'cancelled':
        this.#open.delete(reading.askId);
        break;
      case 'tool':
      case 'notice':
        break;
      default:
        reading satisfies never;
    }
    this.#shell.events.push(reading);
  }

  /** The clock stops while a person has to answer. After a while we give up the process, but not the session. */
  #keepTime(): void {
    const isHeld = this.#open.size > 0;
    this.#shell.keepTime(!isHeld && !this.#isOver);
    clearTimeout(this.#parking);
    const { parkAfterMs } = this.#setup;
    if (!isHeld || parkAfterMs === undefined || this.#sessionId === undefined) return;
    const message = `${this.#definition.name} is parked: its process has ended, and its session can be resumed with the answer.`;
    this.#parking = setTimeout(() => this.#shell.end({ reason: 'parked', message }), parkAfterMs);
  }

  get #isOver(): boolean {
    return this.#outcome !== undefined || this.#shell.cause !== undefined;
  }

  /** Lets the program exit by itself, or ends it. */
  #finish(outcome: EndCause): void {
    this.#outcome = outcome;
    this.#shell.process.endInput();
    this.#ending = setTimeout(() => void this.#shell.process.stop(), END_GRACE_MS);
  }
}
