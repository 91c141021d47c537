import type { AgentEvent } from '../../agents/driver.ts';
import type { LeaseLoss } from '../../agents/lease.ts';
import { toolSummary } from '../../agents/stream/tool-summary.ts';
import { OPEN_QUESTION, type Task } from '../../schema/task.ts';
import { type PhaseAtWork, phaseName, tasksWithin } from '../../work/phases/phase-at-work.ts';
import type { PlanPlace } from '../../work/phases/plan-place.ts';
import { LiveView } from './live-view.ts';
import type { PhaseLine, PhaseState, RunView } from './render-run.ts';

interface Spent {
  tokens: number;
  costUsd: number;
}

/** What an agent spent and did last; of earlier agents of the same phase, only what they spent. */
interface Activity {
  doing?: string;
  spent: Spent;
  now: Spent;
}

const REFRESH_MS = 1000;
/** More than any screen shows of what waits or comes next. */
const MOST = 100;

/** Shows a run as it goes: a live view on a terminal, plain lines elsewhere. */
export class RunFollower {
  readonly #place: PlanPlace;
  readonly #view = new LiveView();
  readonly #activity = new Map<string, Activity>();
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

  hear(at: PhaseAtWork, event: AgentEvent): void {
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
    this.#view.pause(isAsking);
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#view.stop();
  }

  /** One after the other: a ledger that is slow is not asked more often for it. */
  async #refresh(): Promise<void> {
    const view = await this.#look().catch(() => undefined); // the run itself meets what is wrong with the ledger
    if (this.#isOver) return;
    if (view) this.#view.show(view);
    this.#timer = setTimeout(() => void this.#refresh(), REFRESH_MS);
  }

  /** Only what can be shown is read: a plan may have thousands of phases. */
  async #look(): Promise<RunView> {
    const { ledger, projectId, name } = this.#place;
    const within = tasksWithin(name);
    const standing = await ledger.tasks.standing(projectId, within);
    const atWork = await ledger.tasks.list(projectId, { within, status: 'in_progress', limit: MOST });
    const blocked = await ledger.tasks.list(projectId, { within, status: 'blocked', limit: MOST });
    const ready = await ledger.tasks.ready(projectId, MOST, within);
    const { open, in_progress, closed, asking } = standing;
    const spent = [...this.#activity.values()].reduce<Spent>((all, each) => sum(all, spentBy(each)), nothing);
    return {
      phases: [...atWork, ...blocked, ...ready].map((task) => this.#line(task, within)),
      counts: {
        total: open + in_progress + standing.blocked + closed,
        done: closed,
        at_work: in_progress,
        asks: asking,
        failed: standing.blocked - asking,
        next: open,
      },
      ...spent,
    };
  }

  #line(task: Task, within: string): PhaseLine {
    const { id, title, status, blockReason } = task;
    const activity = this.#activity.get(id);
    return {
      id: id.slice(within.length),
      title,
      state: stateOf(task),
      ...(status === 'in_progress' && activity?.doing ? { doing: activity.doing } : {}),
      ...(blockReason === null ? {} : { reason: blockReason }),
      tokens: activity ? spentBy(activity).tokens : 0,
    };
  }
}

function stateOf({ status, blockReason }: Task): PhaseState {
  if (status === 'in_progress') return 'at_work';
  if (status !== 'blocked') return 'next';
  return blockReason === OPEN_QUESTION ? 'asks' : 'failed';
}

const nothing: Spent = { tokens: 0, costUsd: 0 };

const spentBy = ({ spent, now }: Activity) => sum(spent, now);

const lostInWords: Record<LeaseLoss, string> = {
  taken:
    'another run or a person has taken it: this run has stopped its agent and changes nothing of it any more',
  silent:
    'this run was suspended, or could not reach the ledger, for too long: it has let go of the phase, which goes on from where it was',
};

const sum = (a: Spent, b: Spent): Spent => ({
  tokens: a.tokens + b.tokens,
  costUsd: a.costUsd + b.costUsd,
});
