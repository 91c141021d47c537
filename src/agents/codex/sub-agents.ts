import type { TaskEvent } from '../stream/events.ts';
import { isRecord, type JsonRecord, record, text } from '../stream/fields.ts';

const MAX = 1000;
const DESCRIPTION_LENGTH = 100;

/** The sub-agents of one Codex process, keyed by thread. Each is a task from its start until its turn ends. */
export class SubAgents {
  readonly #begun = new Set<string>();
  readonly #working = new Set<string>();
  /** What each was asked to do. */
  readonly #descriptions = new Map<string, string>();

  turnStarted(threadId: string): TaskEvent {
    if (this.#begun.size < MAX) this.#begun.add(threadId);
    if (this.#working.size < MAX) this.#working.add(threadId);
    return this.#task(threadId, true);
  }

  /** Its turn has ended, or its thread is no longer loaded. */
  over(threadId: string): TaskEvent {
    this.#working.delete(threadId);
    return this.#task(threadId, false);
  }

  /** The sub-agents that an item reports as started. One may have finished its turn before this report. */
  told(item: JsonRecord): TaskEvent[] {
    const alive = startedIn(item).flatMap(([threadId, description]) => {
      const [line = ''] = (text(description) ?? '').trim().split('\n');
      const isKnown = this.#descriptions.has(threadId) || this.#descriptions.size < MAX;
      if (line !== '' && isKnown) this.#descriptions.set(threadId, line.slice(0, DESCRIPTION_LENGTH));
      return !this.#begun.has(threadId) || this.#working.has(threadId) ? [threadId] : [];
    });
    return alive.map((threadId) => this.#task(threadId, true));
  }

  #task(threadId: string, isAlive: boolean): TaskEvent {
    const description = this.#descriptions.get(threadId);
    return { type: 'task', task: { id: threadId, description }, isAlive };
  }
}

/** The threads that an item started, each with what it was asked to do. */
function startedIn(item: JsonRecord): [threadId: string, description: unknown][] {
  if (item.type === 'subAgentActivity' && item.kind === 'started') {
    const threadId = text(item.agentThreadId);
    return threadId === undefined ? [] : [[threadId, item.agentPath]];
  }
  if (item.type !== 'collabAgentToolCall' || item.tool !== 'spawnAgent') return [];
  return Object.entries(record(item.agentsStates))
    .filter(([, state]) => isRecord(state) && (state.status === 'pendingInit' || state.status === 'running'))
    .map(([threadId]) => [threadId, item.prompt]);
}
