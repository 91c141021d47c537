import type { Usage } from '../driver.ts';

/** What an agent's output says, whichever agent it is. Drivers act on these events, and a view of the run is built from them. */
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
  | TaskEvent
  | TasksEvent
  | WakeUpEvent
  | StateEvent
  | MalformedEvent;

export const agentKinds = ['claude', 'codex', 'gemini'] as const;
export type AgentKind = (typeof agentKinds)[number];

/** Claude's request ids are strings; those of JSON-RPC may be numbers. */
export type RequestId = string | number;

/** The session is known. `init` is set if the agent announced it; Claude does that at the start of every turn. */
export interface SessionEvent {
  type: 'session';
  sessionId: string;
  init: boolean;
  model?: string;
  version?: string;
  /** The tools that the agent may call, if it says so. */
  tools?: string[];
}

/** A turn began. After a turn of the agent itself begins, the run is unfinished until its next result. */
export interface TurnEvent {
  type: 'turn';
  turnId?: string;
  /** Set if a sub-agent's turn began. */
  parent?: string;
}

/** Facts about one message of the model. Several events may have the same id: its tokens count once. */
export interface MessageEvent {
  type: 'message';
  messageId?: string;
  model?: string;
  stopReason?: string;
  /** As the agent counts: Claude's input tokens exclude those from the cache; Codex and Gemini include them. */
  usage?: Usage;
  parent?: string;
  /** True while more of the message may come, false once it is complete; only from agents that send pieces. */
  isStreaming?: boolean;
}

export interface TextEvent {
  type: 'text';
  text: string;
  messageId?: string;
  /** Set if a sub-agent speaks. */
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

/** The model received the outcome of a question. Outcomes of other tools are not reported. */
interface ToolResultEvent {
  type: 'tool-result';
  toolUseId: string;
  isError: boolean;
  parent?: string;
}

/** Where a question was found: the same call may appear in several of these places, under one `toolUseId`. */
export type QuestionPlace = 'tool_use' | 'request' | 'hook' | 'denial' | 'deferred' | 'elicitation';

export interface QuestionEvent {
  type: 'question';
  place: QuestionPlace;
  toolUseId?: string;
  /** The call that waits for the answer, if it may ask several times and its id therefore does not identify the question. */
  callId?: string;
  /** The request that an answer must name, if this event can be answered. */
  requestId?: RequestId;
  /** The agent's own name for the request, if the format of the response depends on it. */
  kind?: string;
  /** The input as the agent sent it, because answers have to repeat it. `questionsIn` reads the questions from it. */
  input: unknown;
  parent?: string;
  /** The task of the sub-agent that asks. */
  taskId?: string;
}

export interface AskedQuestion {
  /** Codex identifies answers by it, Claude by the text. */
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
  /** The agent's own name for the request, if the format of the response depends on it. */
  kind?: string;
  toolUseId?: string;
  tool: string;
  input: unknown;
  reason?: string;
  parent?: string;
  /** The task of the sub-agent that asks. */
  taskId?: string;
  /** The whole request, for details that only one agent has (suggestions, available decisions). */
  request: unknown;
}

/** Any other request that waits for a response. */
export interface RequestEvent {
  type: 'request';
  requestId: RequestId;
  kind: string;
  request: unknown;
}

/** The agent no longer waits for this request, because it was cancelled or settled. */
interface RequestClosedEvent {
  type: 'request-closed';
  requestId: RequestId;
  cancelled: boolean;
}

/** The agent's response to one of our requests. */
export interface ResponseEvent {
  type: 'response';
  requestId: RequestId;
  ok: boolean;
  response: unknown;
  error?: string;
}

interface NoticeEvent {
  type: 'notice';
  level: 'warning' | 'error';
  message: string;
}

/** A turn ended. */
export interface ResultEvent {
  type: 'result';
  /** Set if a sub-agent's turn ended, which says nothing about the run. */
  parent?: string;
  ok: boolean;
  interrupted?: boolean;
  subtype?: string;
  stopReason?: string;
  text?: string;
  errors: string[];
  /** The model was unreachable or refused: the HTTP status, null if there was no response. */
  apiStatus?: number | null;
  /** The run was parked on this call and can be resumed with its answer. */
  deferred?: { toolUseId?: string };
  usage?: Usage;
  /** `usage` covers the session since its first run (Codex), not only this turn. */
  isUsageOfSession?: boolean;
  /** The cost of the process so far, not only of this turn. */
  costUsd?: number;
}

/** Work that an agent started besides its turn: a background command, a sub-agent. */
export interface BackgroundTask {
  id: string;
  /** The call that started it. */
  toolUseId?: string;
  description?: string;
  /** The turn waits for it, so it cannot outlive the turn. */
  isForeground?: boolean;
}

/** A task began, or ended. */
export interface TaskEvent {
  type: 'task';
  task: BackgroundTask;
  isAlive: boolean;
}

/** All background tasks that are running now. */
export interface TasksEvent {
  type: 'tasks';
  alive: BackgroundTask[];
}

/** The agent will begin a turn by itself, at `at` if that is known. */
export interface WakeUpEvent {
  type: 'wake-up';
  id: string;
  at?: number;
  description: string;
}

/** Whether the agent is working or waiting for input. Only agents that are configured to report it do so. */
export interface StateEvent {
  type: 'state';
  isIdle: boolean;
}

/** A line, or a part of one, that could not be read. */
export interface MalformedEvent {
  type: 'malformed';
  reason: string;
  /** Its beginning. */
  text: string;
  bytes: number;
}
