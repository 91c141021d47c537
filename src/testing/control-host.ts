import { randomUUID } from 'node:crypto';
import { type Decision, hookDecision, permissionDecision, streamClosed } from './decision.ts';
import type { Identity } from './messages.ts';
import { ASK_TOOL } from './questions.ts';
import type { Call } from './session-log.ts';

type Fields = Record<string, unknown>;

interface Need {
  /** The person has to allow it. */
  permission: boolean;
  takeBackAfterMs?: number;
}

/** The result of a request to the host. */
type Outcome = { response: Fields } | { decision: Decision } | { expired: true };

interface Pending {
  request: Fields;
  hook: boolean;
  settle(outcome: Outcome): void;
}

interface Hook {
  matches: RegExp;
  callbackId: string;
  timeoutMs: number | undefined;
}

export interface ControlOptions extends Identity {
  /** Whether messages go in both directions; otherwise the prompt is on the command line, and nobody can be asked. */
  isStreaming: boolean;
  /** The tool that decides about permissions, if the caller named one. */
  permissionTool: string | undefined;
  emit(event: object): void;
  /** Whether the agent works before it gets any input, because it has to repeat a question. */
  busy(): boolean;
  /** Called when it starts and stops waiting for somebody. */
  onWaiting(waiting: boolean): void;
}

/** A host at the other end of the control channel, which answers requests and may interrupt. */
export class ControlHost {
  readonly initialized: Promise<void>;
  readonly #options: ControlOptions;
  readonly #pending = new Map<string, Pending>();
  #hooks: Hook[] = [];
  #permissionMode: string;
  #greeted: () => void = () => undefined;
  #interrupt: () => void = () => undefined;
  #closed = false;
  #initializations = 0;

  constructor(options: ControlOptions) {
    this.#options = options;
    this.#permissionMode = options.permissionMode;
    this.initialized = new Promise((resolve) => {
      this.#greeted = resolve;
    });
  }

  get permissionMode(): string {
    return this.#permissionMode;
  }

  async decide(call: Call, need: Need): Promise<Decision> {
    const hooks = this.#closed ? [] : this.#hooks.filter(({ matches }) => matches.test(call.tool));
    for (const hook of hooks) {
      const limits = { timeoutMs: hook.timeoutMs, hook: true };
      const outcome = await this.#request(this.#hookRequest(hook, call), limits);
      if ('decision' in outcome) return outcome.decision;
      if ('expired' in outcome) continue;
      const decision = hookDecision(outcome.response, call, this.#options.behaviour);
      if (decision) return decision;
    }
    const bypassed = this.#permissionMode === 'bypassPermissions' && call.tool !== ASK_TOOL;
    if (!need.permission || bypassed) return { kind: 'allowed', input: call.input, how: 'control' };
    const { isStreaming, permissionTool } = this.#options;
    if (!isStreaming) return this.#decideAlone(call);
    if (permissionTool !== 'stdio' || this.#closed) return streamClosed(false);
    return this.#askPermission(call, need);
  }

  #decideAlone({ tool }: Call): Decision {
    const isQuestion = tool === ASK_TOOL;
    const { behaviour, permissionTool } = this.#options;
    if (isQuestion && behaviour.unattendedQuestion === 'ends') return { kind: 'ends' };
    if (permissionTool) return streamClosed(false);
    const message = isQuestion
      ? 'Answer questions?'
      : `Claude requested permissions to use ${tool}, but you haven't granted it yet.`;
    return { kind: 'denied', message };
  }

  async #askPermission(call: Call, need: Need): Promise<Decision> {
    this.#options.onWaiting(true);
    const limits = { takeBackAfterMs: need.takeBackAfterMs };
    const outcome = await this.#request(this.#permissionRequest(call), limits);
    if (this.#pending.size === 0) this.#options.onWaiting(false);
    if ('expired' in outcome) return { kind: 'denied', message: 'The question was taken back.' };
    if ('decision' in outcome) return outcome.decision;
    return permissionDecision(outcome.response, call, this.#options.behaviour);
  }

  /** Settles when the current turn is interrupted. */
  interruption(): Promise<void> {
    return new Promise((resolve) => {
      this.#interrupt = resolve;
    });
  }

  /** A message of the control channel. */
  receive(message: Fields): void {
    if (message.type === 'control_response') this.#answered(fields(message.response));
    else if (message.type === 'control_request')
      this.#asked(String(message.request_id), fields(message.request));
  }

  /** The other end is gone, so nobody will answer any more. */
  close(): void {
    this.#closed = true;
    this.#greeted();
    for (const { settle } of [...this.#pending.values()]) settle({ decision: streamClosed(true) });
  }

  /** Cancels open requests and interrupts the turn. */
  interrupt(): void {
    for (const [id, { settle }] of [...this.#pending]) {
      this.#options.emit({ type: 'control_cancel_request', request_id: id });
      settle({ decision: { kind: 'interrupted' } });
    }
    this.#interrupt();
  }

  #answered(response: Fields): void {
    this.#pending.get(String(response.request_id))?.settle({ response });
  }

  #asked(id: string, request: Fields): void {
    switch (request.subtype) {
      case 'initialize':
        this.#hooks = hooksOf(request.hooks);
        this.#initializations += 1;
        this.#reply(id, this.#introduction(), this.#openRequests());
        this.#greeted();
        return;
      case 'interrupt':
        this.interrupt();
        this.#reply(id, this.#options.behaviour.newShape ? { still_queued: [] } : undefined);
        return;
      case 'set_permission_mode':
        this.#permissionMode = String(request.mode);
        this.#reply(id, { mode: this.#permissionMode });
        return;
      case 'set_model':
        this.#reply(id);
        return;
      case 'mcp_status':
        this.#reply(id, { mcpServers: [] });
        return;
      default: {
        const error = `Unsupported control request subtype: ${String(request.subtype)}`;
        const response = { subtype: 'error', request_id: id, error };
        this.#options.emit({ type: 'control_response', response });
      }
    }
  }

  #reply(id: string, response?: Fields, beside: Fields = {}): void {
    const success = { subtype: 'success', request_id: id, ...(response ? { response } : {}), ...beside };
    this.#options.emit({ type: 'control_response', response: success });
  }

  #introduction(): Fields {
    const { behaviour, version } = this.#options;
    return {
      commands: [],
      agents: [],
      output_style: 'default',
      available_output_styles: ['default'],
      models: [],
      account: {},
      pid: process.pid,
      ...(behaviour.newShape
        ? { claude_code_version: version, session_state: this.#options.busy() ? 'running' : 'idle' }
        : {}),
    };
  }

  /** After a reconnect the host learns here what it still has to decide. */
  #openRequests(): Fields {
    if (this.#initializations === 1 && !this.#options.behaviour.newShape) return {};
    const open = [...this.#pending].filter(([, { hook }]) => !hook);
    return {
      pending_permission_requests: open.map(([id, { request }]) => ({
        type: 'control_request',
        request_id: id,
        request,
      })),
      pending_user_dialog_requests: [],
    };
  }

  #request(
    request: Fields,
    options: { timeoutMs?: number; takeBackAfterMs?: number; hook?: boolean },
  ): Promise<Outcome> {
    const id = randomUUID();
    const { timeoutMs, takeBackAfterMs, hook = false } = options;
    return new Promise((resolve) => {
      const settle = (outcome: Outcome) => {
        clearTimeout(timer);
        this.#pending.delete(id);
        resolve(outcome);
      };
      const limit = timeoutMs ?? takeBackAfterMs;
      const expire = () => {
        if (takeBackAfterMs !== undefined)
          this.#options.emit({ type: 'control_cancel_request', request_id: id });
        settle({ expired: true });
      };
      const timer = limit === undefined ? undefined : setTimeout(expire, limit);
      this.#pending.set(id, { request, hook, settle });
      this.#options.emit({ type: 'control_request', request_id: id, request });
    });
  }

  #permissionRequest(call: Call): Fields {
    const question = call.tool === ASK_TOOL;
    return {
      subtype: 'can_use_tool',
      tool_name: call.tool,
      display_name: call.tool,
      input: call.input,
      ...(question ? {} : { permission_suggestions: [] }),
      tool_use_id: call.toolUseId,
      ...(call.parent === undefined ? {} : { agent_id: call.parent }),
      ...(question && this.#options.behaviour.newShape ? { requires_user_interaction: true } : {}),
    };
  }

  #hookRequest(hook: Hook, call: Call): Fields {
    const { sessionId, cwd } = this.#options;
    return {
      subtype: 'hook_callback',
      callback_id: hook.callbackId,
      input: {
        session_id: sessionId,
        cwd,
        permission_mode: this.#permissionMode,
        hook_event_name: 'PreToolUse',
        tool_name: call.tool,
        tool_input: call.input,
        tool_use_id: call.toolUseId,
      },
      tool_use_id: call.toolUseId,
    };
  }
}

function hooksOf(hooks: unknown): Hook[] {
  const before = fields(hooks).PreToolUse;
  if (!Array.isArray(before)) return [];
  return before.map(fields).flatMap(({ matcher, hookCallbackIds, timeout }) => {
    const pattern = typeof matcher === 'string' && matcher !== '' && matcher !== '*' ? matcher : '.*';
    const ids = Array.isArray(hookCallbackIds) ? hookCallbackIds.map(String) : [];
    return ids.map((callbackId) => ({
      matches: new RegExp(`^(?:${pattern})$`),
      callbackId,
      timeoutMs: typeof timeout === 'number' ? Math.min(timeout * 1000, MAX_TIMER) : undefined,
    }));
  });
}

/** With a longer delay, Node's timers fire at once. */
const MAX_TIMER = 2 ** 31 - 1;

const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
