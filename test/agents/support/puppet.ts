import type { AgentDriver, AgentEvent, AgentRun, EndReason, RunEnd } from '../../../src/agents/driver.ts';
import { noUsage } from '../../../src/agents/driver.ts';
import { EventQueue } from '../../../src/agents/event-queue.ts';
import type { Notification } from '../../../src/schema/notification.ts';

/** An agent that does what the test tells it, to see what is made of it. */
class Puppet implements AgentRun {
  readonly events = new EventQueue<AgentEvent>();
  readonly answers: [string, Notification][] = [];
  readonly permits: [string, boolean, string | undefined][] = [];
  stops = 0;
  readonly ended: Promise<RunEnd>;
  #end: (end: RunEnd) => void = () => undefined;

  constructor(play: (self: Puppet) => void) {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    queueMicrotask(() => play(this));
  }

  end(reason: EndReason, text = ''): void {
    const rest = { text, usage: noUsage, exitCode: 0, signal: null, stderrTail: '', skippedLines: 0 };
    this.events.close();
    this.#end({ reason, message: `It is ${reason}.`, ...rest });
  }

  async answer(askId: string, settled: Notification): Promise<boolean> {
    this.answers.push([askId, settled]);
    return true;
  }

  async permit(id: string, allowed: boolean, message?: string): Promise<boolean> {
    this.permits.push([id, allowed, message]);
    return true;
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

/** A driver whose agents play one after the other what is given. */
export function puppetDriver(plays: ((self: Puppet) => void)[]) {
  const runs: Puppet[] = [];
  const resumed: (string | undefined)[] = [];
  const next = () => {
    const run = new Puppet(plays[runs.length] ?? ((self) => self.end('failed')));
    runs.push(run);
    return run;
  };
  const driver: AgentDriver = {
    name: 'puppet',
    probe: async () => ({ found: true, program: 'puppet', version: '1.0.0' }),
    start: next,
    resume: (_, recipe) => {
      resumed.push(recipe.sessionId);
      return next();
    },
  };
  return { driver, runs, resumed };
}
