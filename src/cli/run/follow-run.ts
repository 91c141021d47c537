import type { AgentEvent } from '../../agents/driver.ts';
import type { LeaseLoss } from '../../agents/lease.ts';
import { toolSummary } from '../../agents/stream/tool-summary.ts';
import type { Task } from '../../schema/task.ts';
import { OPEN_QUESTION } from '../../schema/task.ts';
import { type PhaseAtWork, phaseName, phasesAtWork } from '../../work/phases/phase-at-work.ts';
import type { PlanPlace } from '../../work/phases/plan-place.ts';
import { tasksOfPlan } from '../../work/phases/tasks.ts';
import { LiveView } from './live-view.ts';
import type { PhaseLine } from './render-run.ts';

/** What an agent spent and did last; of earlier agents of the same phase, only what they spent. */
interface Activity {
  doing?: string;
  spent: { tokens: number; costUsd: number };
  now: { tokens: number; costUsd: number };
}

const REFRESH_MS = 1000;

/** Shows a run as it goes: a live view on a terminal, plain lines elsewhere. */
export class RunFollower {
  readonly #place: PlanPlace;
  readonly #view = new LiveView();
  readonly #activity = new Map<string, Activity>();
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(place: PlanPlace) {
    this.#place = place;
    if (process.stderr.isTTY) this.#timer = setInterval(() => void this.#refresh(), REFRESH_MS);
  }

  tell(at: PhaseAtWork, sentence: string): void {
    this.#view.tell(`${phaseName(at)}: ${sentence}`);
  }

  lost(taskId: string, why: LeaseLoss): void {
    const phase = taskId.slice(taskId.lastIndexOf('/') + 1);
    this.#view.tell(`${phase}: ${lostInWords[why]}`);
  }

  hear(at: PhaseAtWork, event: AgentEvent): void {
    const nothing = { tokens: 0, costUsd: 0 };
    const activity = this.#activity.get(at.taskId) ?? { spent: nothing, now: nothing };
    this.#activity.set(at.taskId, activity);
    if (event.kind === 'tool') activity.doing = toolSummary(event.name, event.input);
    if (event.kind === 'session') {
      activity.spent = sum(activity.spent, activity.now);
      activity.now = nothing;
    }
    if (event.kind === 'usage') {
      const { inputTokens, outputTokens, costUsd = 0 } = event.usage;
      activity.now = { tokens: inputTokens + outputTokens, costUsd };
    }
  }

  /** Nothing moves while a person is asked. */
  asking(isAsking: boolean): void {
    this.#view.hide(isAsking);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#view.stop();
  }

  async #refresh(): Promise<void> {
    const tasks = await tasksOfPlan(this.#place).catch(() => undefined);
    if (!tasks) return; // the run itself meets what is wrong with the ledger
    const lines = phasesAtWork(this.#place.plan, this.#place.name).flatMap((at) => {
      const task = tasks.get(at.taskId);
      return task ? [this.#line(at, task)] : [];
    });
    this.#view.show(lines);
  }

  #line(at: PhaseAtWork, task: Task): PhaseLine {
    const activity = this.#activity.get(at.taskId);
    const { tokens, costUsd } = activity ? sum(activity.spent, activity.now) : { tokens: 0, costUsd: 0 };
    const reason =
      task.blockReason === OPEN_QUESTION ? 'waits for an answer' : (task.blockReason ?? undefined);
    const doing = task.status === 'in_progress' ? activity?.doing : undefined;
    return { id: phaseName(at), title: at.phase.title, status: task.status, doing, reason, tokens, costUsd };
  }
}

const lostInWords: Record<LeaseLoss, string> = {
  taken:
    'another run or a person has taken it: this run has stopped its agent and changes nothing of it any more',
  silent:
    'this run was suspended, or could not reach the ledger, for too long: it has let go of the phase, which goes on from where it was',
};

const sum = (a: Activity['now'], b: Activity['now']) => ({
  tokens: a.tokens + b.tokens,
  costUsd: a.costUsd + b.costUsd,
});
