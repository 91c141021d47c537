import type { Notification, ResumeRecipe } from '../schema/notification.ts';

/** One kind of agent program. All are started, heard, answered and ended through this. */
export interface AgentDriver {
  readonly name: string;
  /** Looks for the program and its version, without running a model. */
  probe(setup: AgentSetup): Promise<Probe>;
  start(setup: AgentSetup, prompt: string): AgentRun;
  /**
   * Brings answers to a session whose process is gone: under the original tool call where the agent can do that,
   * else with a text that restates question and answer.
   */
  resume(setup: AgentSetup, recipe: ResumeRecipe, settled: Notification[]): AgentRun;
}

/** Where and how an agent runs. */
export interface AgentSetup {
  cwd: string;
  /** Our own environment; the driver passes on what is on its allow-list. */
  env: Record<string, string | undefined>;
  /** The program, where it is not the driver's usual one. */
  program?: string;
  args?: string[];
  model?: string;
  /** Set beside the agent's own instructions, such as when to ask. */
  instructions?: string;
  /** Whether the run is useless without a way to ask: then an agent that cannot is refused at once. */
  mustAsk: boolean;
  /** How long a question is held in the process before the run is parked; undefined: never parked. */
  parkAfterMs?: number;
  timeoutMs?: number;
  /** Extra variables for the agent's process, such as its identity. */
  identity?: Record<string, string>;
}

export type Probe = { found: true; program: string; version: string } | { found: false; message: string };

/** A question as the agent asked it. `id` is the agent's own key for it (a tool call, a request). */
export interface Ask {
  id: string;
  questions: unknown[];
  /** The sub-agent's tool call, where a sub-agent asked. */
  parent?: string;
  /** Asked in plain words at the end of a turn, not through a tool. */
  prose?: boolean;
}

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheCreationTokens: number;
  costUsd?: number;
}

export type AgentEvent =
  | { kind: 'session'; sessionId: string }
  | { kind: 'text'; text: string }
  | { kind: 'tool'; id: string; name: string; input: unknown; parent?: string }
  | { kind: 'question'; ask: Ask }
  /** The agent took the question back: nobody needs to answer it any more. */
  | { kind: 'cancelled'; askId: string }
  | { kind: 'permission'; id: string; tool: string; input: unknown }
  | { kind: 'usage'; usage: Usage };

/** Why a run is over. Only `ok` means that the agent finished what it was asked to do. */
export type EndReason =
  | 'ok'
  | 'parked'
  | 'failed'
  | 'interrupted'
  | 'stopped'
  | 'timed_out'
  | 'crashed'
  | 'no_result'
  | 'too_many_rounds'
  | 'missing'
  | 'cannot_ask';

/** The end of a run, told apart: never a silent empty text. */
export interface RunEnd {
  reason: EndReason;
  /** A sentence for a person; names the agent and its version where that matters. */
  message: string;
  /** What the agent said last. */
  text: string;
  sessionId?: string;
  usage: Usage;
  exitCode: number | null;
  signal: string | null;
  stderrTail: string;
  skippedLines: number;
}

export interface AgentRun {
  /** Ends after the last event; then `ended` is settled. Must be read, or the agent is held up. */
  readonly events: AsyncIterable<AgentEvent>;
  readonly ended: Promise<RunEnd>;
  /**
   * Gives a settled notification to the question `askId`; resolves to true when the agent has it, and to false
   * when it is gone or took the question back, so that the answer has to be brought by `resume`.
   */
  answer(askId: string, settled: Notification): Promise<boolean>;
  /** Allows or refuses a tool that the agent asked permission for. */
  permit(id: string, allowed: boolean, message?: string): Promise<boolean>;
  /** Breaks off the current turn; the session stays usable for `resume`. */
  interrupt(): Promise<void>;
  /** Ends the process and everything that it started. */
  stop(): Promise<RunEnd>;
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  const costUsd =
    a.costUsd === undefined && b.costUsd === undefined ? undefined : (a.costUsd ?? 0) + (b.costUsd ?? 0);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheCreationTokens: a.cacheCreationTokens + b.cacheCreationTokens,
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}
