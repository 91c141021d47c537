import { isDeepStrictEqual } from 'node:util';
import type { TaskEvent, ToolEvent } from '../stream/events.ts';
import { type JsonRecord, text } from '../stream/fields.ts';
import { shellCommand } from './shell-command.ts';

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
