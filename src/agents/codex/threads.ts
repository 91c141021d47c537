import { BackgroundTasks, type Thread } from '../run/background-tasks.ts';
import type { ResultEvent, StateEvent, TaskEvent, TurnEvent } from '../stream/events.ts';

/** The threads of one Codex process and their state: the agent's own thread, and one for each sub-agent. */
export class Threads {
  /** The agent's own thread. */
  main: string | undefined;
  hadSubAgents = false;
  /** The current turn, by thread. */
  readonly #turns = new Map<string, string>();
  readonly #tasks = new BackgroundTasks();

  /** The agent itself has not begun, or is in a turn. */
  get isBusy(): boolean {
    return this.main === undefined || this.#turns.has(this.main);
  }

  /** The thread of a sub-agent, or the agent's own. */
  idOf(parent: string | undefined): string {
    return parent ?? this.main ?? '';
  }

  /** Who speaks in a thread; empty if it is the agent itself. */
  speaker(threadId: string | undefined): Thread {
    return threadId === undefined || threadId === this.main ? {} : this.#tasks.thread({ taskId: threadId });
  }

  turnOf(threadId: string | undefined): string | undefined {
    return threadId === undefined ? undefined : this.#turns.get(threadId);
  }

  /** The agent was sent something. Its turn has no id until Codex reports that it began. */
  begin(): void {
    this.#turns.set(this.idOf(undefined), '');
  }

  hear(event: TurnEvent | ResultEvent | TaskEvent | StateEvent): void {
    switch (event.type) {
      case 'turn':
        this.#turns.set(this.idOf(event.parent), event.turnId ?? '');
        if (event.parent === undefined) this.#tasks.turnBegan(Date.now(), true);
        else this.hadSubAgents = true;
        break;
      case 'result':
        this.#turns.delete(this.idOf(event.parent));
        break;
      case 'task':
        if (event.isAlive) this.#tasks.taskBegan(event.task);
        else this.#tasks.taskEnded(event.task, Date.now());
        if (!event.isAlive) this.#turns.delete(event.task.id);
        break;
      case 'state':
        if (event.isIdle) this.#turns.delete(this.idOf(undefined));
        break;
      default:
        event satisfies never;
    }
  }

  /** A description of what is running besides the agent's own turn; empty if nothing is. */
  get background(): string[] {
    return this.#tasks.names;
  }
}
