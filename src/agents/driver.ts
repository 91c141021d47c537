import type { Usage } from '../schema/run.ts';

export type { Usage };

import type { Notification, ResumeRecipe } from '../schema/notification.ts';
import type { Door } from './door/door.ts';
import type { Transcript } from './run/transcript.ts';
import type { Sandbox } from './sandbox/arguments.ts';

/** One kind of agent program: how to start it, read its events, answer it and end it. */
export interface AgentDriver {
  readonly name: string;
  /** Looks for the program and its version, without running a model. */
  probe(setup: AgentSetup): Promise<Probe>;
  start(setup: AgentSetup, prompt: string): AgentRun;
  /**
   * Delivers answers to a session whose process is gone: as the result of the original tool call if the agent supports
   * that, otherwise as text that repeats question and answer. `words`, if any, is what people said since.
   */
  resume(setup: AgentSetup, recipe: ResumeRecipe, settled: Notification[], words?: string): AgentRun;
  /** What a session has on disk; undefined if there is nothing to read. Missing if the agent keeps no transcripts. */
  transcript?(setup: AgentSetup, sessionId: string): Promise<Transcript | undefined>;
}

/** Where and how an agent runs. */
export interface AgentSetup {
  cwd: string;
  /** Fermata's home folder. It identifies the machine that has the agent's session. */
  home?: string;
  /** Fermata's own environment; the driver passes on only what its allow-list names. */
  env: Record<string, string | undefined>;
  /** Names of further variables that the person lets through; `MY_*` matches several. */
  passes?: readonly string[];
  /** The program to run instead of the driver's usual one. */
  program?: string;
  args?: string[];
  model?: string;
  /** Added to the agent's own instructions, for example when to ask. */
  instructions?: string;
  /** Names of files that it may not read, as far as its program can be told. */
  hides?: readonly string[];
  /** If true, an agent that cannot ask is refused at once. */
  mustAsk: boolean;
  /** How long a question keeps the process waiting before the run is parked. Undefined: never park. */
  parkAfterMs?: number;
  timeoutMs?: number;
  /** How long background work may be silent after the agent's last turn before the run ends (default: BACKGROUND_WAIT_MS). */
  backgroundWaitMs?: number;
  /** Lets the agent's commands reach the ledger. Without it they cannot. */
  door?: Door;
  /** The sandbox that the agent's process runs in. */
  sandbox?: Sandbox;
  /** Extra variables for the agent's process, such as its identity. */
  identity?: Record<string, string>;
}

export const BACKGROUND_WAIT_MS = 30 * 60_000;

export type Probe =
  /** `notes` lists which of the person's own settings let the agent act without asking. */
  { found: true; program: string; version: string; notes?: string[] } | { found: false; message: string };

/** A question as the agent asked it. `id` is the agent's own key for it (a tool call, a request). */
export interface Ask {
  id: string;
  /** The tool call that waits for the answer, if `id` is not its key. One call may ask several times. */
  callId?: string;
  questions: unknown[];
  /** The sub-agent's tool call, if a sub-agent asked. */
  parent?: string;
  /** What the sub-agent that asks was sent to do. */
  asker?: string;
  /** Asked in plain words at the end of a turn, not through a tool. */
  prose?: boolean;
  /** The form of an MCP server that waits in the agent's process; the model never sees the answer. */
  elicitation?: true;
}

/** Something that the agent may do only if a person approves it. `id` is the agent's own key for it. */
export interface PermissionAsk {
  id: string;
  tool: string;
  input: unknown;
  /** Why the agent program or one of its hooks asks for permission. */
  reason?: string;
  /** Broader permissions that the program offers. */
  suggestions?: Suggestion[];
  /** The sub-agent's tool call, if a sub-agent asks. */
  parent?: string;
  /** What the sub-agent that asks was sent to do. */
  asker?: string;
}

/** A permission beyond the one call. It never outlives the agent's process and is never written to a settings file. */
export interface Suggestion {
  id: string;
  /** Completes "Approve, and …": "allow `npm test *` for this session". */
  effect: string;
}

/** What a person adds to yes or no. */
export interface Remark {
  /** Sent to the agent with the decision or right after it. */
  note?: string;
  /** The id of the accepted suggestion, together with a yes. */
  suggestion?: string;
}

export type AgentEvent =
  | { kind: 'session'; sessionId: string }
  | { kind: 'text'; text: string }
  | { kind: 'tool'; id: string; name: string; input: unknown; parent?: string }
  | { kind: 'question'; ask: Ask }
  /** The agent withdrew the question; nobody needs to answer it. */
  | { kind: 'cancelled'; askId: string }
  | ({ kind: 'permission' } & PermissionAsk)
  | { kind: 'usage'; usage: Usage }
  /** Something a person should know about the run, in Fermata's words. */
  | { kind: 'notice'; text: string };

/** Why a run is over. Only `ok` means that the agent finished what it was asked to do. */
export type EndReason =
  | 'ok'
  | 'parked'
  | 'failed'
  /** The model was unreachable or refused to answer; see `apiStatus`. The session can be resumed. */
  | 'api_error'
  /** The agent reports that the session to resume does not exist. */
  | 'session_lost'
  | 'interrupted'
  | 'stopped'
  | 'timed_out'
  | 'crashed'
  | 'no_result'
  | 'too_many_rounds'
  | 'missing'
  | 'cannot_ask';

/** How a run ended. Every kind of failure has its own reason, so an empty text is never the only sign of one. */
export interface RunEnd {
  reason: EndReason;
  /** A sentence for a person; names the agent and, if it matters, its version. */
  message: string;
  /** What the agent said last. */
  text: string;
  sessionId?: string;
  /** The HTTP status of an `api_error`; missing if there was no response. */
  apiStatus?: number;
  usage: Usage;
  exitCode: number | null;
  signal: string | null;
  stderrTail: string;
  skippedLines: number;
}

export interface AgentRun {
  /** Closes after the last event; then `ended` settles. The caller must read it, or the agent is paused. */
  readonly events: AsyncIterable<AgentEvent>;
  readonly ended: Promise<RunEnd>;
  /**
   * Resolves to true once the agent cannot lose what it was started or resumed with, and to false if it ended before
   * that. A driver without such proof uses the agent's first reaction.
   */
  readonly received?: Promise<boolean>;
  /**
   * Gives the settled notification to the question `askId`. Resolves to true once the agent cannot lose the answer (it is
   * in the transcript on disk, or a later event proves it). Resolves to false if the agent is gone or withdrew the
   * question; then `resume` has to deliver the answer.
   */
  answer(askId: string, settled: Notification): Promise<boolean>;
  /**
   * Tells the working agent what a person says. Resolves to true once the agent cannot lose it, and to false if it ended
   * before that; then the next process has to be told. Missing if the agent takes nothing while it works.
   */
  say?(words: string): Promise<boolean>;
  /** Allows or refuses a tool that the agent asked permission for. */
  permit(id: string, allowed: boolean, remark?: Remark): Promise<boolean>;
  /** Interrupts the current turn; the session can still be resumed. */
  interrupt(): Promise<void>;
  /** Ends the process and everything it started. */
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
