import type { AgentSetup } from '../driver.ts';
import { BackgroundTasks, type Thread } from '../run/background-tasks.ts';
import { waitedLongEnough } from '../run/end.ts';
import type { StateEvent, TaskEvent, TasksEvent, ToolEvent, WakeUpEvent } from '../stream/events.ts';
import { record } from '../stream/fields.ts';
import { type Action, emit } from './dialogue.ts';

const CANCELS_WAKE_UP = 'CronDelete';
const MAX_NAMES_LENGTH = 500;

/** The agent's work outside its turns: whether it is still running, and what to report about it. */
export class Background {
  readonly #name: string;
  readonly #setup: Pick<AgentSetup, 'backgroundWaitMs'>;
  readonly #underWay = new BackgroundTasks();
  /** What the agent reported itself; undefined if it reports nothing. */
  #isIdle: boolean | undefined;
  #isTold = false;

  constructor(name: string, setup: Pick<AgentSetup, 'backgroundWaitMs'>) {
    this.#name = name;
    this.#setup = setup;
  }

  hear(event: TaskEvent | TasksEvent | WakeUpEvent | StateEvent): void {
    switch (event.type) {
      case 'task':
        if (event.isAlive) this.#underWay.taskBegan(event.task);
        else this.#underWay.taskEnded(event.task, Date.now());
        break;
      case 'tasks':
        this.#underWay.tasksAre(event.alive, Date.now());
        break;
      case 'wake-up':
        this.#underWay.planned(event);
        break;
      case 'state':
        this.#isIdle = event.isIdle;
        break;
      default:
        event satisfies never;
    }
  }

  called({ name, input }: ToolEvent): void {
    if (name === CANCELS_WAKE_UP) this.#underWay.cancelled(String(record(input).id));
  }

  turnBegan(isOurs: boolean): void {
    this.#isTold = false;
    this.#underWay.turnBegan(Date.now(), isOurs);
  }

  thread(of: { taskId?: string; parent?: string }): Thread {
    return this.#underWay.thread(of);
  }

  /** Between two turns, the agent still has something to do or to wait for. */
  get hasPendingWork(): boolean {
    return this.#underWay.isAlive || this.#isIdle === false;
  }

  /** How long a finished task may still wake the agent. */
  get wakesWithin(): number {
    return this.#underWay.wakesWithin(Date.now());
  }

  /** True if ending the process would lose work, or if a resumed agent would be woken before it gets its answer. */
  get needsProcess(): boolean {
    return this.#underWay.isAlive || this.#underWay.isUntold;
  }

  /** Reports what the run waits for, once after each turn. */
  tell(): Action[] {
    if (this.#isTold || !this.#underWay.isAlive) return [];
    this.#isTold = true;
    return [
      emit({ kind: 'notice', text: `${this.#name} is waiting for its background work: ${this.#names}.` }),
    ];
  }

  giveUp(): Action[] {
    const text = waitedLongEnough(this.#name, this.#setup, this.#names);
    return [emit({ kind: 'notice', text }), { do: 'finish', message: text }];
  }

  get #names(): string {
    return this.#underWay.names.join(', ').slice(0, MAX_NAMES_LENGTH) || 'unnamed';
  }
}
