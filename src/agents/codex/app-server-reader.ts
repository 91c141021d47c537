import { askHuman, HUMAN_SERVER } from '../questions/ask-human.ts';
import {
  type Emit,
  isRecord,
  type JsonRecord,
  list,
  OpenCalls,
  record,
  requestIdOf,
  text,
  type UsageNames,
  usageOf,
} from '../stream/agent-reader.ts';
import type { PermissionEvent, QuestionEvent, RequestId } from '../stream/events.ts';
import { apiStatusOf } from './end.ts';
import { changedFiles, commandTask, OpenItems, SubAgents, shellCommand, toolOf } from './items.ts';
import { method } from './requests.ts';

const names: UsageNames = ['inputTokens', 'outputTokens', 'cachedInputTokens', 'cacheWriteInputTokens'];

type AboutRequest = Required<Pick<PermissionEvent, 'requestId' | 'kind'>> & Pick<PermissionEvent, 'parent'>;

/** Beyond this many threads, turns are no longer distinguished. */
const MAX_THREADS = 1000;

/** The JSON-RPC messages of `codex app-server`: the agent has one thread, and each of its sub-agents another. */
export class AppServerReader {
  readonly #emit: Emit;
  readonly #items = new OpenItems();
  readonly #openCalls = new OpenCalls();
  readonly #subAgents = new SubAgents();
  /** The last turn of each sub-agent, and of the agent itself under the key undefined. */
  readonly #turns = new Map<string | undefined, string | undefined>();
  /** The agent's own thread. `init` is true if Codex said so; until then it is the first thread that was named. */
  #main: { id: string; init: boolean } | undefined;
  #lastText: string | undefined;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  read(object: JsonRecord): void {
    const name = text(object.method);
    const requestId = requestIdOf(object.id);
    if (name === undefined) {
      if (requestId !== undefined) this.#response(requestId, object);
      return;
    }
    const params = record(object.params);
    const threadId = text(params.threadId);
    if (threadId !== undefined) this.#session(threadId, false);
    const parent = threadId !== undefined && threadId !== this.#main?.id ? threadId : undefined;
    if (requestId === undefined) this.#notification(name, params, parent);
    else this.#request(requestId, name, params, parent);
  }

  #session(sessionId: string, init: boolean): void {
    if (this.#main && (this.#main.init || !init)) return;
    this.#main = { id: sessionId, init };
    this.#emit({ type: 'session', sessionId, init });
  }

  #response(requestId: RequestId, object: JsonRecord): void {
    const error = isRecord(object.error) ? (text(object.error.message) ?? 'The request failed.') : undefined;
    this.#threadSeen(record(record(object.result).thread));
    this.#emit({ type: 'response', requestId, ok: error === undefined, response: object.result, error });
  }

  /** A thread with a parent is a sub-agent's. */
  #threadSeen(thread: JsonRecord): void {
    const id = text(thread.id);
    if (id !== undefined && text(thread.parentThreadId) === undefined) this.#session(id, true);
  }

  #notification(name: string, params: JsonRecord, parent: string | undefined): void {
    switch (name) {
      case 'thread/started':
        this.#threadSeen(record(params.thread));
        break;
      case 'turn/started':
        this.#turnStarted(text(record(params.turn).id), parent);
        break;
      case 'item/started':
        this.#itemStarted(record(params.item), parent);
        break;
      case 'item/completed':
        this.#itemCompleted(record(params.item), parent);
        break;
      case 'thread/tokenUsage/updated':
        this.#usage(params, parent);
        break;
      case 'turn/completed':
        this.#turnEnded(record(params.turn), parent);
        break;
      case 'thread/closed':
        // The thread is no longer doing anything.
        if (parent === undefined) this.#emit({ type: 'state', isIdle: true });
        else this.#emit(this.#subAgents.over(parent));
        break;
      case 'serverRequest/resolved': {
        const requestId = requestIdOf(params.requestId);
        if (requestId !== undefined) this.#emit({ type: 'request-closed', requestId, cancelled: false });
        break;
      }
      case 'error':
        this.#notice('error', record(params.error).message ?? params.message);
        break;
      case 'warning':
      case 'configWarning':
      case 'deprecationNotice':
        this.#notice('warning', params.message ?? params.summary);
        break;
    }
  }

  #turnStarted(turnId: string | undefined, parent: string | undefined): void {
    if (this.#turns.has(parent) || this.#turns.size < MAX_THREADS) this.#turns.set(parent, turnId);
    if (parent === undefined) this.#lastText = undefined;
    else this.#emit(this.#subAgents.turnStarted(parent));
    this.#emit({ type: 'turn', turnId, parent });
  }

  #itemStarted(item: JsonRecord, parent: string | undefined): void {
    this.#items.started(item, parent);
    this.#tasks(item, true);
    const tool = toolOf(item);
    if (tool) this.#emit({ type: 'tool', toolUseId: text(item.id), ...tool, parent });
  }

  #itemCompleted(item: JsonRecord, parent: string | undefined): void {
    const id = text(item.id);
    this.#items.completed(item, parent);
    this.#tasks(item, false);
    if (id !== undefined && this.#openCalls.settle(callKey(parent, id))) {
      this.#emit({ type: 'tool-result', toolUseId: id, isError: item.success === false, parent });
    }
    if (item.type !== 'agentMessage' || typeof item.text !== 'string') return;
    if (parent === undefined) this.#lastText = item.text;
    this.#emit({ type: 'text', text: item.text, messageId: id, parent });
  }

  #tasks(item: JsonRecord, isAlive: boolean): void {
    const command = commandTask(item, isAlive);
    for (const task of command ? [command] : this.#subAgents.told(item)) this.#emit(task);
  }

  /**
   * `last` is one call of the model. `total` includes earlier runs of the thread, so we only use it to recognise
   * repeats.
   */
  #usage(params: JsonRecord, parent: string | undefined): void {
    const { last, total } = record(params.tokenUsage);
    const turn = text(params.turnId);
    // When a thread is resumed, the figures of an earlier turn are repeated.
    if (turn !== this.#turns.get(parent)) return;
    const messageId = `${turn}:${record(total).totalTokens}`;
    this.#emit({ type: 'message', messageId, usage: usageOf(last, names), parent });
  }

  #turnEnded(turn: JsonRecord, parent: string | undefined): void {
    const status = text(turn.status);
    const interrupted = status === 'interrupted';
    const isError = isRecord(turn.error) || (status !== undefined && status !== 'completed');
    const { message, codexErrorInfo } = record(turn.error);
    const error = text(message) ?? (interrupted ? 'The turn was interrupted.' : 'The turn failed.');
    const spoken = list(turn.items)
      .map(record)
      .findLast((item) => item.type === 'agentMessage');
    if (parent !== undefined) this.#emit(this.#subAgents.over(parent));
    this.#emit({
      type: 'result',
      parent,
      ok: !isError,
      interrupted,
      subtype: status,
      text: parent === undefined ? (this.#lastText ?? text(spoken?.text)) : text(spoken?.text),
      errors: isError ? [error] : [],
      apiStatus: isError && !interrupted ? apiStatusOf(error, codexErrorInfo) : undefined,
    });
  }

  #request(requestId: RequestId, kind: string, params: JsonRecord, parent: string | undefined): void {
    const about = { requestId, kind, parent };
    const toolUseId = text(params.itemId);
    switch (kind) {
      case method.toolCall: {
        if (params.tool !== askHuman.name) break;
        const { arguments: input } = params;
        this.#question({ ...about, place: 'request', toolUseId: text(params.callId), input });
        return;
      }
      case method.userInput:
        this.#question({ ...about, place: 'request', toolUseId, input: params });
        return;
      case method.elicitation:
        this.#elicitation(params, about);
        return;
      case method.command:
        this.#permission(params, about, { tool: 'Bash', toolUseId, input: shellCommand(params) });
        return;
      case method.fileChange: {
        const input = { ...changedFiles(this.#items.get(parent, toolUseId)?.changes), ...params };
        this.#permission(params, about, { tool: 'fileChange', toolUseId, input });
        return;
      }
      case method.permissions: {
        const { cwd, permissions } = params;
        this.#permission(params, about, { tool: 'permissions', input: { permissions, cwd } });
        return;
      }
    }
    this.#emit({ type: 'request', requestId, kind, request: params });
  }

  /** The form of an MCP server that Codex uses, or Codex asking whether it may use a tool of such a server. */
  #elicitation(params: JsonRecord, about: AboutRequest): void {
    const { parent } = about;
    const server = text(params.serverName);
    if (record(params._meta).codex_approval_kind !== undefined) {
      this.#permission(params, about, { tool: server ?? 'an MCP tool', input: params });
    } else if (server === HUMAN_SERVER) {
      // The message of our tool's form is the input of the call.
      const input = parsed(params.message);
      const toolUseId = this.#items.callOf(parent, server, input);
      this.#question({ ...about, place: 'request', toolUseId, input });
    } else {
      const callId = this.#items.callOf(parent, server);
      this.#question({ ...about, place: 'elicitation', callId, input: params });
    }
  }

  #permission(
    request: JsonRecord,
    about: AboutRequest,
    wanted: Pick<PermissionEvent, 'tool' | 'toolUseId' | 'input'>,
  ): void {
    const reason = text(request.reason) ?? text(request.message);
    this.#emit({ type: 'permission', ...about, ...wanted, reason, request });
  }

  #question(asked: Omit<QuestionEvent, 'type'>): void {
    const { toolUseId, callId, parent } = asked;
    const call = toolUseId ?? callId;
    if (call !== undefined) this.#openCalls.add(callKey(parent, call));
    this.#emit({ type: 'question', ...asked });
  }

  #notice(level: 'warning' | 'error', message: unknown): void {
    this.#emit({ type: 'notice', level, message: text(message) ?? 'The agent reports a problem.' });
  }
}

const callKey = (parent: string | undefined, callId: string) => `${parent ?? ''}/${callId}`;

function parsed(message: unknown): unknown {
  try {
    return JSON.parse(String(message));
  } catch {
    return undefined;
  }
}
