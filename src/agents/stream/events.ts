import type { Usage } from '../driver.ts';

/** What an agent's output says, whichever agent it is. Drivers act on these; a view of the run is folded from them. */
export type StreamEvent =
  | SessionEvent
  | TurnEvent
  | MessageEvent
  | TextEvent
  | ToolEvent
  | ToolResultEvent
  | QuestionEvent
  | PermissionEvent
  | RequestEvent
  | RequestClosedEvent
  | ResponseEvent
  | NoticeEvent
  | ResultEvent
  | MalformedEvent;

export type AgentKind = 'claude' | 'codex' | 'gemini';
export const agentKinds: readonly AgentKind[] = ['claude', 'codex', 'gemini'];

/** Claude's request ids are texts, those of JSON-RPC may be numbers. */
export type RequestId = string | number;

/** The session is known. `init` where the agent announced it itself; Claude does that at the start of every turn. */
export interface SessionEvent {
  type: 'session';
  sessionId: string;
  init: boolean;
  model?: string;
  version?: string;
  /** What the agent may call; only where it says so. */
  tools?: string[];
}

/** A turn began: from here on the run is unfinished until the next result. */
export interface TurnEvent {
  type: 'turn';
}

/** Facts about one message of the model. Several events may have the same id: its tokens count once. */
export interface MessageEvent {
  type: 'message';
  messageId?: string;
  model?: string;
  stopReason?: string;
  /**
   * As the agent counts: Claude's input tokens are without those from the cache, those of Codex and Gemini include
   * them.
   */
  usage?: Usage;
  parent?: string;
}

export interface TextEvent {
  type: 'text';
  text: string;
  messageId?: string;
  /** Set where a sub-agent speaks. */
  parent?: string;
}

export interface ToolEvent {
  type: 'tool';
  toolUseId?: string;
  name: string;
  input: unknown;
  messageId?: string;
  parent?: string;
}

/** The model received the outcome of a question. Outcomes of other tools are not told. */
export interface ToolResultEvent {
  type: 'tool-result';
  toolUseId: string;
  isError: boolean;
}

/** Where a question was read: one call is seen in several of these places, under one `toolUseId`. */
export type QuestionPlace = 'tool_use' | 'request' | 'hook' | 'denial' | 'deferred' | 'elicitation';

export interface QuestionEvent {
  type: 'question';
  place: QuestionPlace;
  toolUseId?: string;
  /** What an answer has to name, where this event can be answered. */
  requestId?: RequestId;
  questions: AskedQuestion[];
  /** As the agent sent it: answers have to repeat it. */
  input: unknown;
  parent?: string;
}

export interface AskedQuestion {
  /** Codex tells answers apart by it; Claude by the text. */
  id?: string;
  question: string;
  header?: string;
  options: AskedOption[];
  multi: boolean;
}

export interface AskedOption {
  label: string;
  description?: string;
  preview?: string;
}

/** The agent wants to do something and waits for a yes or no. */
export interface PermissionEvent {
  type: 'permission';
  requestId: RequestId;
  toolUseId?: string;
  tool: string;
  input: unknown;
  reason?: string;
  parent?: string;
  /** The whole request, for what only one agent has (suggestions, available decisions). */
  request: unknown;
}

/** Any other request that waits for a response. */
export interface RequestEvent {
  type: 'request';
  requestId: RequestId;
  kind: string;
  request: unknown;
}

/** The agent no longer waits for this request: it was cancelled, or it is settled one way or the other. */
export interface RequestClosedEvent {
  type: 'request-closed';
  requestId: RequestId;
  cancelled: boolean;
}

/** The agent's response to a request of ours. */
export interface ResponseEvent {
  type: 'response';
  requestId: RequestId;
  ok: boolean;
  response: unknown;
  error?: string;
}

export interface NoticeEvent {
  type: 'notice';
  level: 'warning' | 'error';
  message: string;
}

export interface DeniedTool {
  tool: string;
  toolUseId?: string;
  input: unknown;
}

/** A turn ended. */
export interface ResultEvent {
  type: 'result';
  ok: boolean;
  isError: boolean;
  interrupted: boolean;
  subtype?: string;
  stopReason?: string;
  text?: string;
  errors: string[];
  denials: DeniedTool[];
  /** The run was parked on this call and can be resumed with its answer. */
  deferred?: DeniedTool;
  usage?: Usage;
  /** What `usage` covers: this turn, or the session from its first run on (Codex). */
  usageOf: 'turn' | 'session';
  /** Of the process so far, not of the turn alone. */
  costUsd?: number;
}

/** A line, or a part of one, that could not be read. */
export interface MalformedEvent {
  type: 'malformed';
  reason: string;
  /** Its beginning. */
  text: string;
  bytes: number;
}
