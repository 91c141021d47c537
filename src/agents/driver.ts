import type { Usage } from '../schema/run.ts';

export type { Usage };

import type { Notification, ResumeRecipe } from '../schema/notification.ts';
import type { Door } from './door/door.ts';
import type { Transcript } from './run/transcript.ts';
import type { Sandbox } from './sandbox/arguments.ts';

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
  /** What a session has on disk; undefined if there is nothing to read. Missing if the agent keeps no transcripts. */
  transcript?(setup: AgentSetup, sessionId: string): Promise<Transcript | undefined>;
}

/** Where and how an agent runs. */
export interface AgentSetup {
  cwd: string;
  /** Our own environment; the driver passes on what is on its allow-list. */
  env: Record<string, string | undefined>;
  /** Names of variables that the person lets through as well; `MY_*` stands for several. */
  passes?: readonly string[];
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
  /** How long background work may be silent after the agent's last turn before the run ends (default: BACKGROUND_WAIT_MS). */
  backgroundWaitMs?: number;
  /** Through which its commands reach the ledger; without one they do not. */
  door?: Door;
  /** In which its process runs. */
  sandbox?: Sandbox;
  /** Extra variables for the agent's process, such as its identity. */
  identity?: Record<string, string>;
}

export const BACKGROUND_WAIT_MS = 30 * 60_000;

export type Probe =
  /** `notes` say what of the person's own settings decides what the agent does unasked. */
  { found: true; program: string; version: string; notes?: string[] } | { found: false; message: string };

/** A question as the agent asked it. `id` is the agent's own key for it (a tool call, a request). */
export interface Ask {
  id: string;
  /** The tool call that waits for the answer, where `id` is not its key: one call may ask several times. */
  callId?: string;
  questions: unknown[];
  /** The sub-agent's tool call, where a sub-agent asked. */
  parent?: string;
  /** What the sub-agent that asks was sent to do. */
  asker?: string;
  /** Asked in plain words at the end of a turn, not through a tool. */
  prose?: boolean;
  /** The form of an MCP server, which waits for it in the agent's process; the model never sees the answer. */
  elicitation?: true;
}

/** Something that the agent may do only if a person approves it. `id` is the agent's own key for it. */
export interface PermissionAsk {
  id: string;
  tool: string;
  input: unknown;
  /** Why the agent program or one of its hooks asks. */
  reason?: string;
  /** What the program offers to allow as well. */
  suggestions?: Suggestion[];
  /** The sub-agent's tool call, where a sub-agent asks. */
  parent?: string;
  /** What the sub-agent that asks was sent to do. */
  asker?: string;
}

/** What a person can allow beyond the one call. It never outlives the agent's process, and no settings file gets it. */
export interface Suggestion {
  id: string;
  /** Completes "Approve, and …": "allow `npm test *` for this session". */
  effect: string;
}

/** What a person says beside yes or no. */
export interface Remark {
  /** Reaches the agent: with the decision, or right after it. */
  note?: string;
  /** The id of the suggestion that is taken, with a yes. */
  suggestion?: string;
}

export type AgentEvent =
  | { kind: 'session'; sessionId: string }
  | { kind: 'text'; text: string }
  | { kind: 'tool'; id: string; name: string; input: unknown; parent?: string }
  | { kind: 'question'; ask: Ask }
  /** The agent took the question back: nobody needs to answer it any more. */
  | { kind: 'cancelled'; askId: string }
  | ({ kind: 'permission' } & PermissionAsk)
  | { kind: 'usage'; usage: Usage }
  /** Something about the run that a person should know, in our words. */
  | { kind: 'notice'; text: string };

/** Why a run is over. Only `ok` means that the agent finished what it was asked to do. */
export type EndReason =
  | 'ok'
  | 'parked'
  | 'failed'
  /** The model could not be reached, or refused to answer; `apiStatus` says more. The session can be resumed. */
  | 'api_error'
  /** The agent says that it does not have the session that it was to resume. */
  | 'session_lost'
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
  /** The HTTP status of an `api_error`; missing if there was no response. */
  apiStatus?: number;
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
   * True once the agent cannot lose what it was started or resumed with, false if it ended before. If the driver has
   * no such proof, the agent's first reaction counts.
   */
  readonly received?: Promise<boolean>;
  /**
   * Gives a settled notification to the question `askId`; resolves to true once the agent cannot lose it any more (it
   * is in the transcript on disk, or a later event proves it), and to false when the agent is gone or took the
   * question back, so that the answer has to be brought by `resume`.
   */
  answer(askId: string, settled: Notification): Promise<boolean>;
  /** Allows or refuses a tool that the agent asked permission for. */
  permit(id: string, allowed: boolean, remark?: Remark): Promise<boolean>;
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
