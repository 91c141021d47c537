import { randomUUID } from 'node:crypto';
import type { Behaviour } from './scenario.ts';
import type { Call } from './session-log.ts';

export interface Identity {
  behaviour: Behaviour;
  version: string;
  sessionId: string;
  cwd: string;
  model: string;
  permissionMode: string;
  tools: string[];
}

/** Tokens of one message, or of several together. */
export interface Tokens {
  inputTokens: number;
  outputTokens: number;
}

export interface ResultParts {
  subtype: 'success' | 'error_during_execution';
  isError: boolean;
  text?: string;
  stopReason: string | null;
  terminalReason?: string;
  numTurns: number;
  durationMs: number;
  tokens: Tokens;
  denials: Call[];
  parked?: Call;
  errors?: string[];
}

type Event = Record<string, unknown>;

/** The events of the stream-json protocol as the imitated version writes them. */
export class Messages {
  readonly #who: Identity;

  constructor(who: Identity) {
    this.#who = who;
  }

  init(): Event {
    const { behaviour, version, sessionId, cwd, model, permissionMode, tools } = this.#who;
    return {
      type: 'system',
      subtype: 'init',
      cwd,
      session_id: sessionId,
      tools,
      mcp_servers: [],
      model,
      permissionMode,
      slash_commands: [],
      apiKeySource: 'none',
      claude_code_version: version,
      output_style: 'default',
      agents: [],
      skills: [],
      plugins: [],
      ...(behaviour.newShape
        ? { capabilities: ['interrupt_receipt_v1', 'ask_user_question_unanswered_v1'] }
        : {}),
      uuid: randomUUID(),
    };
  }

  state(state: 'running' | 'requires_action' | 'idle'): Event {
    return { type: 'system', subtype: 'session_state_changed', state, ...this.#own() };
  }

  /** One event for each block; blocks of one message share its id. */
  block(
    messageId: string,
    block: Event,
    tokens: Tokens,
    parent: string | undefined,
    stopReason: string | null,
  ): Event {
    return {
      type: 'assistant',
      message: {
        id: messageId,
        type: 'message',
        role: 'assistant',
        model: this.#who.model,
        content: [block],
        stop_reason: stopReason,
        stop_sequence: null,
        usage: { ...usage({ ...tokens, outputTokens: Math.min(1, tokens.outputTokens) }) },
      },
      parent_tool_use_id: parent ?? null,
      ...this.#own(),
      ...(this.#who.behaviour.newShape ? { timestamp: new Date().toISOString() } : {}),
    };
  }

  toolResult(call: Call, content: string, isError: boolean, detail: unknown): Event {
    const block = {
      type: 'tool_result',
      content,
      ...(isError ? { is_error: true } : {}),
      tool_use_id: call.toolUseId,
    };
    return {
      ...this.#user([block], call.parent),
      tool_use_result: detail,
    };
  }

  userText(text: string): Event {
    return this.#user([{ type: 'text', text }], undefined);
  }

  permissionDenied(call: Call, message: string): Event {
    return {
      type: 'system',
      subtype: 'permission_denied',
      tool_name: call.tool,
      tool_use_id: call.toolUseId,
      decision_reason_type: 'mode',
      message,
      ...this.#own(),
    };
  }

  result(parts: ResultParts): Event {
    const head = { type: 'result', subtype: parts.subtype };
    const body = {
      is_error: parts.isError,
      duration_ms: parts.durationMs,
      duration_api_ms: 0,
      num_turns: parts.numTurns,
      ...(parts.text === undefined ? {} : { result: parts.text }),
      stop_reason: parts.stopReason,
      session_id: this.#who.sessionId,
      total_cost_usd: 0,
      usage: usage(parts.tokens),
      modelUsage: {},
      permission_denials: parts.denials.map(({ tool, toolUseId, input }) => ({
        tool_name: tool,
        tool_use_id: toolUseId,
        tool_input: input,
      })),
      ...(parts.parked
        ? {
            deferred_tool_use: {
              id: parts.parked.toolUseId,
              name: parts.parked.tool,
              input: parts.parked.input,
            },
          }
        : {}),
      ...(parts.terminalReason ? { terminal_reason: parts.terminalReason } : {}),
      ...(parts.errors ? { errors: parts.errors } : {}),
      uuid: randomUUID(),
    };
    return this.#who.behaviour.newShape ? { ...body, ...head } : { ...head, ...body };
  }

  #user(content: Event[], parent: string | undefined): Event {
    return {
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: parent ?? null,
      ...this.#own(),
      timestamp: new Date().toISOString(),
    };
  }

  #own() {
    return { session_id: this.#who.sessionId, uuid: randomUUID() };
  }
}

function usage({ inputTokens, outputTokens }: Tokens) {
  return {
    input_tokens: inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: outputTokens,
  };
}
