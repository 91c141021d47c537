import type { AgentEvent } from '../../agents/driver.ts';
import type { LeaseLoss } from '../../agents/lease.ts';
import { type PhaseAtWork, phaseName, tasksWithin } from '../../work/phases/phase-at-work.ts';
import type { PlanPlace } from '../../work/phases/plan-place.ts';
import { type Activity, afterEvent, nothing } from './activity.ts';
import { LiveView } from './live-view.ts';
import { lookAtRun } from './look-at-run.ts';

const REFRESH_MS = 1000;

/** Shows a run as it goes: a live view on a terminal, plain lines elsewhere. */
export class RunFollower {
  readonly #place: PlanPlace;
  readonly #view = new LiveView();
  readonly #activities = new Map<string, Activity>();
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(place: PlanPlace) {
    this.#place = place;
    if (process.stderr.isTTY) this.#timer = setTimeout(() => void this.#refresh(), REFRESH_MS);
  }

  tell(at: PhaseAtWork, sentence: string): void {
    this.#view.tell(`${phaseName(at)}: ${sentence}`);
  }

  /** The first Ctrl-C: agents get some time to save their sessions. */
  stopping(): void {
    this.#view.tell('Stopping: agents at work may save their sessions. Ctrl-C again ends at once.');
  }

  lost(taskId: string, why: LeaseLoss): void {
    this.#view.tell(`${taskId.slice(tasksWithin(this.#place.name).length)}: ${lostInWords[why]}`);
  }

  hear({ taskId }: PhaseAtWork, event: AgentEvent): void {
    const before = this.#activities.get(taskId) ?? { before: nothing, now: nothing };
    this.#activities.set(taskId, afterEvent(before, event));
  }

  /** Nothing moves while a person is asked. */
  asking(isAsking: boolean): void {
    this.#view.pause(isAsking);
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#view.stop();
  }

  /** One after the other: a ledger that is slow is not asked more often for it. */
  async #refresh(): Promise<void> {
    // The run itself meets what is wrong with the ledger.
    const view = await lookAtRun(this.#place, this.#activities).catch(() => undefined);
    if (this.#isOver) return;
    if (view) this.#view.show(view);
    this.#timer = setTimeout(() => void this.#refresh(), REFRESH_MS);
  }
}

const lostInWords: Record<LeaseLoss, string> = {
  taken:
    'another run or a person has taken it: this run has stopped its agent and changes nothing of it any more',
  silent:
    'this run was suspended, or could not reach the ledger, for too long: it has let go of the phase, which goes on from where it was',
};
