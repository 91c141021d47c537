import type { AgentEvent } from '../../agents/driver.ts';
import type { Above } from '../../channels/line-reader.ts';
import type { Report } from '../../work/report.ts';
import { lostLine, tellReport } from '../tell-report.ts';
import { type Activity, afterEvent, nothing } from './activity.ts';
import { LiveView } from './live-view.ts';
import { type FollowedTasks, lookAtRun } from './look-at-run.ts';

const REFRESH_MS = 1000;

/** Shows a run as it progresses: a live view on a terminal, plain lines elsewhere. */
export class RunFollower {
  readonly #tasks: FollowedTasks;
  readonly #view = new LiveView();
  readonly #activities = new Map<string, Activity>();
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(tasks: FollowedTasks) {
    this.#tasks = tasks;
    if (process.stderr.isTTY) this.#timer = setTimeout(() => void this.#refresh(), REFRESH_MS);
  }

  report(event: Report): void {
    if (event.kind === 'phase') this.#view.tell(`${event.phase}: ${event.text}`);
    else if (event.kind === 'phase_lost') this.#view.tell(lostLine(event));
    else if (event.kind === 'agent') this.#hear(event.task, event.phase, event.event);
    else tellReport(event);
  }

  /** The first Ctrl-C: agents get some time to save their sessions. */
  stopping(): void {
    this.#view.tell(
      'Stopping. Agents have some time to save their sessions; press Ctrl-C again to end at once.',
    );
  }

  #hear(task: string, phase: string, event: AgentEvent): void {
    if (event.kind === 'notice') this.#view.tell(`${phase}: ${event.text}`);
    const before = this.#activities.get(task) ?? { before: nothing, now: nothing };
    this.#activities.set(task, afterEvent(before, event));
  }

  /** What a person sees above the prompt while they are asked. */
  get above(): Above {
    return this.#view.above;
  }

  /** Pauses the view while a person is asked. */
  asking(isAsking: boolean): void {
    this.#view.pause(isAsking);
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#view.stop();
  }

  /** One at a time, so that a slow ledger is not queried more often. */
  async #refresh(): Promise<void> {
    // The run itself reports errors of the ledger.
    const view = await lookAtRun(this.#tasks, this.#activities).catch(() => undefined);
    if (this.#isOver) return;
    if (view) this.#view.show(view);
    this.#timer = setTimeout(() => void this.#refresh(), REFRESH_MS);
  }
}
