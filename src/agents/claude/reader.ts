import {
  type AgentReader,
  Beginnings,
  type Emit,
  isRecord,
  type JsonRecord,
  list,
  OpenCalls,
  record,
  text,
  texts,
  type UsageNames,
  usageOf,
} from '../stream/agent-reader.ts';
import type { QuestionPlace } from '../stream/events.ts';
import { changedTask, isWakingTool, liveTasks, sessionState, wakeUp } from './background.ts';
import { ASK_TOOL } from './wire.ts';

const names: UsageNames = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
];

/** Lines that can be skipped: tool results, and pieces of a message that follows as a whole. */
const echoes = new Beginnings(['{"type":"user",', '{"type":"stream_event","event":{"type":"content_block_']);

const TYPES = new Set<unknown>([
  'system',
  'assistant',
  'user',
  'stream_event',
  'content_block_delta',
  'control_request',
  'control_response',
  'control_cancel_request',
  'result',
]);

export const isClaude = ({ type }: JsonRecord) => TYPES.has(type);

/** Claude Code's stream-json, with and without the control protocol. Never relies on the order of keys. */
export class ClaudeReader implements AgentReader {
  readonly #emit: Emit;
  readonly #openCalls = new OpenCalls();
  #sessionKnown = false;
  /** The messages whose pieces are arriving, keyed by the sub-agent's call. */
  readonly #partial = new Map<string | undefined, string>();

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  skips(bytes: Buffer, start: number, end: number): boolean {
    return this.#sessionKnown && this.#openCalls.none && echoes.match(bytes, start, end);
  }

  read(object: JsonRecord): boolean {
    switch (object.type) {
      case 'system':
        this.#system(object);
        break;
      case 'assistant':
        this.#session(object);
        this.#assistant(object);
        break;
      case 'user':
        this.#session(object);
        this.#user(object);
        break;
      case 'stream_event':
        this.#session(object);
        this.#partialMessage(record(object.event), text(object.parent_tool_use_id));
        break;
      case 'content_block_delta':
        this.#delta(object);
        break;
      case 'result':
        this.#session(object);
        this.#result(object);
        break;
      case 'control_request':
        this.#request(object);
        break;
      case 'control_response':
        this.#response(object);
        break;
      case 'control_cancel_request': {
        const requestId = text(object.request_id);
        if (requestId !== undefined) this.#emit({ type: 'request-closed', requestId, cancelled: true });
        break;
      }
      default:
        return typeof object.type === 'string';
    }
    return true;
  }

  #session(object: JsonRecord): void {
    if (this.#sessionKnown) return;
    const sessionId = text(object.session_id);
    if (sessionId === undefined) return;
    this.#sessionKnown = true;
    this.#emit({ type: 'session', sessionId, init: false });
  }

  /** Only `init` names the session, because other system events may belong to one that never begins. */
  #system(object: JsonRecord): void {
    if (object.subtype !== 'init') {
      const event = changedTask(object) ?? liveTasks(object) ?? sessionState(object);
      if (event) this.#emit(event);
      return;
    }
    this.#emit({ type: 'turn' });
    const sessionId = text(object.session_id);
    if (sessionId === undefined) return;
    this.#sessionKnown = true;
    this.#emit({
      type: 'session',
      sessionId,
      init: true,
      model: text(object.model),
      version: text(object.claude_code_version),
      tools: Array.isArray(object.tools) ? texts(object.tools) : undefined,
    });
  }

  #assistant(object: JsonRecord): void {
    const message = record(object.message);
    const parent = text(object.parent_tool_use_id);
    const messageId = text(message.id);
    this.#emit({
      type: 'message',
      messageId,
      model: text(message.model),
      stopReason: text(message.stop_reason),
      usage: usageOf(message.usage, names),
      parent,
    });
    if (typeof message.content === 'string') {
      this.#emit({ type: 'text', text: message.content, messageId, parent });
      return;
    }
    for (const block of list(message.content)) {
      if (!isRecord(block)) continue;
      if (block.type === 'text' && typeof block.text === 'string') {
        this.#emit({ type: 'text', text: block.text, messageId, parent });
      } else if (block.type === 'tool_use') {
        this.#toolUse(block, messageId, parent);
      }
    }
  }

  #toolUse(block: JsonRecord, messageId: string | undefined, parent: string | undefined): void {
    const name = text(block.name);
    const toolUseId = text(block.id);
    if (name === undefined) return;
    this.#emit({ type: 'tool', toolUseId, name, input: block.input, messageId, parent });
    if (name === ASK_TOOL) this.#question('tool_use', block.input, toolUseId, { parent });
    if (isWakingTool(name)) this.#openCalls.add(toolUseId);
  }

  /** Of tool results, only the outcome of a question and a planned wake-up matter. */
  #user(object: JsonRecord): void {
    if (this.#openCalls.none) return;
    for (const block of list(record(object.message).content)) {
      if (!isRecord(block) || block.type !== 'tool_result') continue;
      const toolUseId = text(block.tool_use_id);
      if (toolUseId === undefined || !this.#openCalls.settle(toolUseId)) continue;
      this.#emit({ type: 'tool-result', toolUseId, isError: block.is_error === true });
      const planned = wakeUp(record(object.tool_use_result));
      if (planned) this.#emit(planned);
    }
  }

  /** The complete message follows. We take the token count from its pieces in case the run is cut off. */
  #partialMessage(event: JsonRecord, parent: string | undefined): void {
    if (event.type !== 'message_start' && event.type !== 'message_delta') return;
    const begun = event.type === 'message_start' ? text(record(event.message).id) : undefined;
    if (begun !== undefined) this.#partial.set(parent, begun);
    const messageId = this.#partial.get(parent);
    const about = event.type === 'message_start' ? record(event.message) : event;
    const usage = usageOf(about.usage, names);
    const stopReason = text(record(event.delta).stop_reason);
    if (messageId === undefined || (usage === undefined && stopReason === undefined)) return;
    const isStreaming = event.type === 'message_start';
    this.#emit({ type: 'message', messageId, usage, stopReason, parent, isStreaming });
  }

  /** Bare pieces of a message. Claude Code does not send these, but other programs do. */
  #delta(object: JsonRecord): void {
    const delta = record(object.delta);
    if (delta.type !== 'text_delta' || typeof delta.text !== 'string') return;
    this.#emit({ type: 'text', text: delta.text, parent: text(object.parent_tool_use_id) });
  }

  #result(object: JsonRecord): void {
    const subtype = text(object.subtype);
    const isError = object.is_error === true || (subtype?.startsWith('error') ?? false);
    for (const denied of list(object.permission_denials).map(record)) {
      if (denied.tool_name === ASK_TOOL)
        this.#question('denial', denied.tool_input, text(denied.tool_use_id));
    }
    const deferred = record(object.deferred_tool_use);
    const deferredId = text(deferred.id);
    if (deferred.name === ASK_TOOL) this.#question('deferred', deferred.input, deferredId);
    this.#openCalls.clear();
    const resultText = text(object.result);
    const errors = texts(object.errors);
    this.#emit({
      type: 'result',
      ok: !isError,
      interrupted: isError && (text(object.terminal_reason)?.startsWith('aborted') ?? false),
      subtype,
      stopReason: text(object.stop_reason),
      text: resultText,
      errors:
        isError && errors.length === 0 ? [resultText ?? subtype ?? 'The agent reports an error.'] : errors,
      // The CLI reports an API error as the end of a normal turn.
      apiStatus: isError && subtype === 'success' ? statusOf(object.api_error_status, resultText) : undefined,
      deferred: text(deferred.name) === undefined ? undefined : { toolUseId: deferredId },
      usage: usageOf(object.usage, names),
      costUsd: typeof object.total_cost_usd === 'number' ? object.total_cost_usd : undefined,
    });
  }

  #request(object: JsonRecord): void {
    const requestId = text(object.request_id);
    const request = record(object.request);
    if (requestId === undefined) return;
    const { subtype, input } = request;
    const tool = text(request.tool_name) ?? 'unknown';
    const toolUseId = text(request.tool_use_id);
    const parent = text(request.parent_tool_use_id);
    const taskId = text(request.agent_id);
    if (subtype === 'can_use_tool' && tool === ASK_TOOL) {
      this.#question('request', input, toolUseId, { requestId, parent, taskId });
    } else if (subtype === 'can_use_tool') {
      const reason = text(request.decision_reason) ?? text(request.description);
      this.#emit({ type: 'permission', requestId, toolUseId, tool, input, reason, parent, taskId, request });
    } else if (subtype === 'hook_callback' && isAskHook(record(input))) {
      const { tool_input, tool_use_id } = record(input);
      this.#question('hook', tool_input, toolUseId ?? text(tool_use_id), { requestId });
    } else if (subtype === 'elicitation') {
      this.#emit({ type: 'question', place: 'elicitation', requestId, input: request });
    } else {
      this.#emit({ type: 'request', requestId, kind: text(subtype) ?? 'unknown', request });
    }
  }

  #response(object: JsonRecord): void {
    const response = record(object.response);
    const requestId = text(response.request_id);
    if (requestId === undefined) return;
    const ok = response.subtype !== 'error';
    const error = ok ? undefined : (text(response.error) ?? 'The agent refused the request.');
    this.#emit({ type: 'response', requestId, ok, response: response.response, error });
    // After a second `initialize`, this lists what still waits.
    for (const pending of list(response.pending_permission_requests)) this.#request(record(pending));
  }

  #question(
    place: QuestionPlace,
    input: unknown,
    toolUseId: string | undefined,
    more: { requestId?: string; parent?: string; taskId?: string } = {},
  ): void {
    if (place !== 'denial' && place !== 'deferred') this.#openCalls.add(toolUseId);
    this.#emit({ type: 'question', place, toolUseId, input, ...more });
  }
}

function isAskHook(input: JsonRecord): boolean {
  return input.tool_name === ASK_TOOL && input.hook_event_name === 'PreToolUse';
}

/** The HTTP status of an API error. */
function statusOf(status: unknown, resultText: string | undefined): number | null {
  if (typeof status === 'number') return status;
  return LOGGED_OUT.test(resultText ?? '') ? 401 : null;
}

/** Without a login, Claude Code does not even try to reach the API. */
const LOGGED_OUT = /please run \/login/i;
