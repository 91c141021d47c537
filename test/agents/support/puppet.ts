import {
  type AgentDriver,
  type AgentEvent,
  type AgentRun,
  type EndReason,
  noUsage,
  type Remark,
  type RunEnd,
} from '../../../src/agents/driver.ts';
import { PacedEvents } from '../../../src/agents/run/run-shell.ts';
import type { Notification } from '../../../src/schema/notification.ts';

/** An agent that does what the test tells it. */
export class Puppet implements AgentRun {
  readonly events = new PacedEvents<AgentEvent>();
  readonly received: Promise<boolean> | undefined;
  readonly answers: [string, Notification][] = [];
  readonly permits: [string, boolean, string | undefined][] = [];
  readonly remarks: Remark[] = [];
  /** Whether it is still there to take a permission. */
  takesPermits = true;
  /** Whether it has what it is told while it works; undefined: it takes nothing then. */
  takesWords: boolean | undefined;
  readonly words: string[] = [];
  stops = 0;
  readonly ended: Promise<RunEnd>;
  #end: (end: RunEnd) => void = () => undefined;

  constructor(play: (self: Puppet) => void, received: boolean | undefined) {
    this.received = received === undefined ? undefined : Promise.resolve(received);
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    queueMicrotask(() => play(this));
  }

  end(reason: EndReason, text = '', more: Partial<RunEnd> = {}): void {
    const rest = { text, usage: noUsage, exitCode: 0, signal: null, stderrTail: '', skippedLines: 0 };
    this.events.close();
    this.#end({ reason, message: `It is ${reason}.`, ...rest, ...more });
  }

  async answer(askId: string, settled: Notification): Promise<boolean> {
    this.answers.push([askId, settled]);
    return true;
  }

  async permit(id: string, allowed: boolean, remark: Remark = {}): Promise<boolean> {
    this.permits.push([id, allowed, remark.note]);
    this.remarks.push(remark);
    return this.takesPermits;
  }

  async say(words: string): Promise<boolean> {
    if (this.takesWords !== undefined) this.words.push(words);
    return this.takesWords ?? false;
  }

  async interrupt(): Promise<void> {
    this.end('interrupted');
  }

  async stop(): Promise<RunEnd> {
    this.stops += 1;
    this.end('stopped');
    return this.ended;
  }
}

/** A driver whose agents play the given scripts, one after the other. */
export function puppetDriver(
  plays: ((self: Puppet) => void)[],
  transcript: AgentDriver['transcript'] = async () => undefined,
  /** Whether each agent reports that it received what it was started with. */
  received: (boolean | undefined)[] = [],
) {
  const runs: Puppet[] = [];
  const resumed: (string | undefined)[] = [];
  const sent: Notification[][] = [];
  const words: string[] = [];
  const prompts: string[] = [];
  const next = () => {
    const run = new Puppet(plays[runs.length] ?? ((self) => self.end('failed')), received[runs.length]);
    runs.push(run);
    return run;
  };
  const driver: AgentDriver = {
    name: 'puppet',
    probe: async () => ({ found: true, program: 'puppet', version: '1.0.0' }),
    start: (_, prompt) => {
      prompts.push(prompt);
      return next();
    },
    resume: (_, recipe, settled, said = '') => {
      resumed.push(recipe.sessionId);
      sent.push([...settled]);
      if (said !== '') words.push(said);
      return next();
    },
    transcript,
  };
  return { driver, runs, resumed, sent, words, prompts };
}
