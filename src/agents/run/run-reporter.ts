import type { Ledger } from '../../ledger/ledger.ts';
import { redactor } from '../../ledger/redact/redact.ts';
import type { By } from '../../schema/actor.ts';
import type { Run, RunStep } from '../../schema/run.ts';
import type { AgentEvent } from '../driver.ts';
import { toolSummary } from '../stream/tool-summary.ts';

/** How long steps are collected, so that a chatty agent costs a few transactions a second, not thousands. */
const GATHER_MS = 400;
/** More than a person can follow; further steps of one batch are dropped. */
const MAX_STEPS = 50;

/** Records what an agent says and does as ledger events, for everyone who watches the run. */
export class RunReporter {
  readonly #ledger: Ledger;
  readonly #run: Run;
  readonly #by: By;
  #steps: RunStep[] = [];
  #usage: RunStep | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(ledger: Ledger, run: Run, by: By) {
    this.#ledger = ledger;
    this.#run = run;
    this.#by = by;
  }

  hear(event: AgentEvent): void {
    const step = stepOf(event);
    if (!step) return;
    if (step.kind === 'usage') this.#usage = step;
    else if (this.#steps.length < MAX_STEPS) this.#steps.push(step);
    this.#timer ??= setTimeout(() => void this.flush(), GATHER_MS);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const steps = [...this.#steps, ...(this.#usage ? [this.#usage] : [])];
    this.#steps = [];
    this.#usage = undefined;
    if (steps.length === 0) return;
    // Steps are only for viewers: a run continues if they cannot be recorded, and a lost lease is reported elsewhere.
    await this.#ledger.runs.report(this.#run, steps, this.#by).catch(() => undefined);
  }
}

function stepOf(event: AgentEvent): RunStep | undefined {
  switch (event.kind) {
    case 'text':
      return event.text.trim() === '' ? undefined : { kind: 'text', text: event.text };
    case 'tool':
      return { kind: 'tool', tool: toolSummary(event.name, event.input, redactor(process.env)) };
    case 'usage':
      return { kind: 'usage', usage: { ...event.usage } };
    default:
      return undefined;
  }
}
