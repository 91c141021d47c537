import { isDeepStrictEqual } from 'node:util';
import { shellWords } from '../shell-words.ts';
import { isRecord, type JsonRecord, record, text } from '../stream/agent-reader.ts';
import type { TaskEvent, ToolEvent } from '../stream/events.ts';

const MAX_OPEN = 1000;
const DESCRIPTION_LENGTH = 100;

/** Items that are not tool calls. */
const NO_TOOL = new Set([
  'agentMessage',
  'userMessage',
  'reasoning',
  'plan',
  'hookPrompt',
  'contextCompaction',
  'subAgentActivity',
]);

/** Keeps what a later request refers to but does not repeat: the changes to files, and the input of MCP calls. */
export class OpenItems {
  readonly #items = new Map<string, { parent: string | undefined; item: JsonRecord }>();

  started(item: JsonRecord, parent: string | undefined): void {
    const isNamedLater = item.type === 'fileChange' || item.type === 'mcpToolCall';
    if (isNamedLater && this.#items.size < MAX_OPEN)
      this.#items.set(keyOf(parent, item.id), { parent, item });
  }

  completed(item: JsonRecord, parent: string | undefined): void {
    this.#items.delete(keyOf(parent, item.id));
  }

  get(parent: string | undefined, id: string | undefined): JsonRecord | undefined {
    return this.#items.get(keyOf(parent, id))?.item;
  }

  /**
   * A form arrives while its server is being called. If there are several calls, it belongs to the one with this input.
   * Undefined if the input does not decide it, because an answer credited to the wrong call would be lost.
   */
  callOf(parent: string | undefined, server: string | undefined, input?: unknown): string | undefined {
    const calls = [...this.#items.values()]
      .filter((each) => each.parent === parent && each.item.server === server)
      .map(({ item }) => item);
    const fitting =
      calls.length > 1 ? calls.filter((call) => isDeepStrictEqual(call.arguments, input)) : calls;
    return fitting.length === 1 ? text(fitting[0]?.id) : undefined;
  }
}

/** What Codex began to do; undefined if the item is not a tool call. */
export function toolOf(item: JsonRecord): Pick<ToolEvent, 'name' | 'input'> | undefined {
  const kind = text(item.type);
  if (kind === undefined || NO_TOOL.has(kind)) return undefined;
  const tool = text(item.tool);
  switch (kind) {
    case 'commandExecution':
      return { name: 'Bash', input: shellCommand(item) };
    case 'fileChange':
      return { name: kind, input: item.changes ?? null };
    case 'collabAgentToolCall':
      return { name: tool ?? kind, input: { description: item.prompt } };
    default: {
      const name = [text(item.server) ?? text(item.namespace), tool].filter(Boolean).join('.');
      return { name: tool === undefined ? kind : name, input: item.arguments ?? item };
    }
  }
}

/** A command began or ended. One that is still running after a turn runs in the background. */
export function commandTask(item: JsonRecord, isAlive: boolean): TaskEvent | undefined {
  const id = text(item.id);
  if (item.type !== 'commandExecution' || id === undefined) return undefined;
  const { command } = shellCommand({ command: item.command });
  const description = `\`${command.slice(0, DESCRIPTION_LENGTH)}\``;
  return { type: 'task', task: { id, description }, isAlive };
}

const keyOf = (parent: string | undefined, id: unknown) => `${parent ?? ''}/${id}`;

const MAX = 1000;

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

const NOT_SAID = { changes: 'Codex did not say what it wants to change.' };

/** The diff of each file, keyed by its path and a number, because one file may have two changes. */
export function changedFiles(changes: unknown): Record<string, unknown> {
  if (!Array.isArray(changes)) return NOT_SAID;
  return Object.fromEntries(
    changes.map((change, index) => {
      const { path, kind, diff } = isRecord(change) ? change : {};
      const isKnown = typeof path === 'string' && typeof diff === 'string';
      if (!isKnown) return [`${index + 1}.`, change];
      const type = isRecord(kind) ? kind.type : kind;
      const to = isRecord(kind) && typeof kind.move_path === 'string' ? ` → ${kind.move_path}` : '';
      return [`${index + 1}. ${typeof type === 'string' ? type : 'change'} ${path}${to}`, diff];
    }),
  );
}

/** A command as Codex reports it, in the format of other agents: without the shell around it. */
export function shellCommand({ command, cwd, reason }: Record<string, unknown>) {
  return {
    command: inShell(String(command ?? '')),
    ...(typeof cwd === 'string' ? { cwd } : {}),
    ...(typeof reason === 'string' ? { description: reason } : {}),
  };
}

/** `/bin/bash -c 'git add --all'` runs `git add --all`. A command of another form is not changed. */
function inShell(command: string): string {
  const [shell = '', option = '', inner, ...rest] = shellWords(command) ?? [];
  const wrapped = /(?:^|\/)(?:ba|da|z|k)?sh$/.test(shell) && /^-l?c$/.test(option) && rest.length === 0;
  return wrapped && inner !== undefined ? inner : command;
}
