import { randomUUID } from 'node:crypto';
import type { Output } from './output.ts';
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

interface ResultParts {
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

const DEFAULT_TOKENS: Tokens = { inputTokens: 100, outputTokens: 20 };

/** What the agent prints in one turn, as the imitated version of the real program writes it, with the totals. */
export class TurnOutput {
  /** Refused calls, which the result lists. */
  readonly denials: Call[] = [];
  tokensPerMessage = DEFAULT_TOKENS;
  readonly #who: Identity;
  readonly #output: Output;
  readonly #began = Date.now();
  #messageId: string | undefined;
  #tokens: Tokens = { inputTokens: 0, outputTokens: 0 };
  #turns = 0;
  #lastText = '';

  constructor(who: Identity, output: Output) {
    this.#who = who;
    this.#output = output;
  }

  begin(): void {
    const { behaviour, version, sessionId, cwd, model, permissionMode, tools } = this.#who;
    this.#output.event({
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
    });
  }

  say(text: string, parent?: string): void {
    if (parent === undefined) this.#lastText = text;
    this.#block({ type: 'text', text }, parent);
  }

  think(thinking: string, parent?: string): void {
    this.#block({ type: 'thinking', thinking, signature: '' }, parent);
  }

  use(call: Call, stopReason: string | null = null): void {
    const block = { type: 'tool_use', id: call.toolUseId, name: call.tool, input: call.input };
    this.#block(block, call.parent, stopReason);
  }

  /** The model continues in a new message. */
  toolResult({ toolUseId, parent }: Call, content: string, isError: boolean, detail: unknown): void {
    const failed = isError ? { is_error: true } : {};
    const block = { type: 'tool_result', content, ...failed, tool_use_id: toolUseId };
    this.#output.event({ ...this.#user([block], parent), tool_use_result: detail });
    this.#messageId = undefined;
    this.#turns += 1;
  }

  permissionDenied({ tool, toolUseId }: Call, message: string): void {
    this.#output.event({
      type: 'system',
      subtype: 'permission_denied',
      tool_name: tool,
      tool_use_id: toolUseId,
      decision_reason_type: 'mode',
      message,
      ...ids(this.#who),
    });
  }

  interrupted(text: string): void {
    this.#output.event(this.#user([{ type: 'text', text }], undefined));
    this.#turns += 1;
  }

  result(parts: Pick<ResultParts, 'subtype' | 'isError' | 'stopReason'> & Partial<ResultParts>): void {
    const text = parts.subtype === 'success' ? (parts.text ?? this.#lastText) : undefined;
    const event = resultEvent(this.#who, {
      ...parts,
      text,
      numTurns: this.#turns + 1,
      durationMs: Date.now() - this.#began,
      tokens: this.#tokens,
      denials: this.denials,
    });
    this.#output.result(event, text ?? parts.errors?.join('\n') ?? '');
  }

  /** One event for each block; blocks of one message share its id. */
  #block(block: Event, parent: string | undefined, stopReason: string | null = null): void {
    if (this.#messageId === undefined) this.#count();
    const { inputTokens, outputTokens } = this.tokensPerMessage;
    this.#output.event({
      type: 'assistant',
      message: {
        id: this.#messageId,
        type: 'message',
        role: 'assistant',
        model: this.#who.model,
        content: [block],
        stop_reason: stopReason,
        stop_sequence: null,
        usage: usage({ inputTokens, outputTokens: Math.min(1, outputTokens) }),
      },
      parent_tool_use_id: parent ?? null,
      ...ids(this.#who),
      ...(this.#who.behaviour.newShape ? { timestamp: new Date().toISOString() } : {}),
    });
  }

  #user(content: Event[], parent: string | undefined): Event {
    return {
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: parent ?? null,
      ...ids(this.#who),
      timestamp: new Date().toISOString(),
    };
  }

  #count(): void {
    this.#messageId = `msg_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
    this.#tokens = {
      inputTokens: this.#tokens.inputTokens + this.tokensPerMessage.inputTokens,
      outputTokens: this.#tokens.outputTokens + this.tokensPerMessage.outputTokens,
    };
  }
}

export function stateEvent(who: Identity, state: 'running' | 'requires_action' | 'idle'): Event {
  return { type: 'system', subtype: 'session_state_changed', state, ...ids(who) };
}

export function resultEvent({ sessionId, behaviour }: Identity, parts: ResultParts): Event {
  const head = { type: 'result', subtype: parts.subtype };
  const body = {
    is_error: parts.isError,
    duration_ms: parts.durationMs,
    duration_api_ms: 0,
    num_turns: parts.numTurns,
    ...(parts.text === undefined ? {} : { result: parts.text }),
    stop_reason: parts.stopReason,
    session_id: sessionId,
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
  return behaviour.newShape ? { ...body, ...head } : { ...head, ...body };
}

const ids = ({ sessionId }: Identity) => ({ session_id: sessionId, uuid: randomUUID() });

function usage({ inputTokens, outputTokens }: Tokens) {
  return {
    input_tokens: inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: outputTokens,
  };
}
