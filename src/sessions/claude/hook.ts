import { setTimeout as sleep } from 'node:timers/promises';
import { isDeadProcess } from '../../agents/run/lease.ts';
import type { By } from '../../schema/actor.ts';
import type { Notification } from '../../schema/notification.ts';
import type { ChatMessage } from '../../schema/task.ts';
import { markOf, Session, type SessionPlace } from '../session.ts';
import { type Dialog, dialogOf } from './dialog.ts';
import type { HookInput, PermissionRequest, PostToolUse } from './hook-input.ts';
import { type ToolResult, Transcript } from './transcript.ts';

/** The surroundings of a hook. */
export interface HookPlace extends SessionPlace {
  /** The process of Claude Code. */
  pid: number;
  /** Whether somebody sits in front of it. */
  attended: boolean;
  /** Where it takes messages. */
  socket: string | undefined;
  /** Aborted when Claude Code closes the dialog or ends. */
  closed: AbortSignal;
}

/** Acts on one event of a session of Claude Code; the result is what the hook prints. */
export async function runHook(place: HookPlace, input: HookInput): Promise<object | undefined> {
  const { session_id: id, cwd, transcript_path: transcript, hook_event_name: event } = input;
  const session = await Session.open(place, { agent: 'claude', id, cwd, transcript, ...place });
  const conversation = Transcript.of(input);
  await settle(session, input);
  switch (event) {
    case 'SessionStart':
      return undefined;
    case 'PermissionRequest':
      return answer(place, session, input, conversation);
    case 'PostToolUse':
      return settleCall(session, input);
    case 'UserPromptSubmit': {
      await session.report('working', undefined, input.prompt);
      // A message through the socket can be a prompt, too.
      const additionalContext = await session.news((message) => !input.prompt.includes(markOf(message)));
      return additionalContext === undefined
        ? undefined
        : { hookSpecificOutput: { hookEventName: event, additionalContext } };
    }
    case 'Stop': {
      await session.report('idle', input.last_assistant_message);
      if (input.stop_hook_active || (await session.news(isQueued)) === undefined) return undefined;
      await sleep(SETTLED_MS);
      await settle(session, input);
      const reason = await session.news(isQueued);
      return reason === undefined ? undefined : { decision: 'block', reason };
    }
    case 'SessionEnd':
      await session.end(input.reason === 'clear' ? 'The session was cleared.' : 'The session ended.');
      return undefined;
    default: {
      const never: never = event;
      return never;
    }
  }
}

/** What the program itself took comes next in the conversation. */
const isQueued = ({ delivery }: ChatMessage) => delivery === 'queued';

/** Brings one dialog to the inbox, and the answer back, unless the person is faster at the desk. */
async function answer(
  place: HookPlace,
  session: Session,
  input: PermissionRequest,
  conversation: Transcript,
): Promise<object | undefined> {
  const { tool_name: tool, tool_input, permission_suggestions: suggestions, agent_id, agent_type } = input;
  const toolCallId = await callOf(conversation, tool, tool_input);
  const subAgent = agent_id === undefined ? undefined : (agent_type ?? 'agent');
  const dialog = dialogOf({ tool, input: tool_input, suggestions, subAgent, said: conversation.said });
  if (!dialog) return undefined;
  const { source, questions } = dialog;
  const asked = await session.ask({ source, questions, toolCallId, subAgent: agent_id });
  const end = await firstEnd(place, asked, () => conversation.read().result(toolCallId));
  switch (end.kind) {
    case 'settled':
      if (end.notification.resolvedBy?.channel === 'desk' || end.notification.status === 'withdrawn')
        return undefined;
      return {
        hookSpecificOutput: {
          hookEventName: input.hook_event_name,
          decision: dialog.decision(end.notification),
        },
      };
    case 'result':
      await settleOne(session, asked, dialog, end.result);
      return undefined;
    case 'closed':
      // The transcript says what happened, shortly after.
      await sleep(SETTLED_MS);
      await settleOne(session, asked, dialog, conversation.read().result(toolCallId));
      return undefined;
    case 'gone':
      await settle(session, input);
      await session.lose();
      return undefined;
    default: {
      const never: never = end;
      return never;
    }
  }
}

/** Claude Code writes its transcript with a short delay. */
const SETTLED_MS = 250;
const PATIENCE_MS = 2000;
const LOOK_MS = 100;

async function callOf(conversation: Transcript, tool: string, input: unknown): Promise<string | undefined> {
  for (const since = performance.now(); performance.now() - since < PATIENCE_MS; await sleep(LOOK_MS)) {
    const id = conversation.read().pendingCall(tool, input);
    if (id !== undefined) return id;
  }
  return undefined;
}

type End =
  | { kind: 'settled'; notification: Notification }
  | { kind: 'result'; result: ToolResult }
  | { kind: 'closed' }
  | { kind: 'gone' };

/** Waits for the inbox, the desk, or the end of either. */
async function firstEnd(
  { ledger, closed, pid }: HookPlace,
  { projectId, id }: Notification,
  result: () => ToolResult | undefined,
): Promise<End> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, closed]);
  const inbox = async (): Promise<End> => {
    const notification = await ledger.notifications.wait(projectId, id, signal);
    return notification ? { kind: 'settled', notification } : { kind: 'closed' };
  };
  const desk = async (): Promise<End> => {
    while (!signal.aborted) {
      const found = result();
      if (found) return { kind: 'result', result: found };
      if (isDeadProcess(pid)) return { kind: 'gone' };
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
    return { kind: 'closed' };
  };
  return Promise.race([inbox(), desk()]).finally(() => over.abort());
}

/** Records what the transcript says about everything that this session has asked. */
async function settle(session: Session, input: HookInput): Promise<void> {
  const [pending, unread] = await Promise.all([session.pending(), session.unread()]);
  if (pending.length + unread.length === 0) return;
  const own = Transcript.of({ ...input, agent_id: undefined }).read();
  for (const message of unread) if (own.wasHeard(markOf(message))) await session.read(message);
  const files = new Map([['', own]]);
  for (const asked of pending) {
    const agent = asked.resume?.subAgent;
    const transcript = files.get(agent ?? '') ?? Transcript.of({ ...input, agent_id: agent }).read();
    files.set(agent ?? '', transcript);
    const isLost = asked.resume?.session?.lostAt !== undefined;
    if (asked.status !== 'open' && !isLost) await written(transcript, asked.resume?.toolCallId);
    const call = transcript.call(asked.resume?.toolCallId);
    const result = transcript.result(call?.id);
    const dialog = call && dialogOf(call);
    if (asked.status !== 'open' && isLost && transcript.wasHeard(asked.id)) await session.delivered(asked);
    else if (dialog && result && (!isLost || dialog.isFrom(asked, result)))
      await settleOne(session, asked, dialog, result);
  }
}

/** The turn may end before the transcript has the result of a call that was answered. */
async function written(transcript: Transcript, callId: string | undefined): Promise<void> {
  const since = performance.now();
  while (!transcript.read().result(callId) && performance.now() - since < PATIENCE_MS) await sleep(LOOK_MS);
}

/** The call has just succeeded, which its transcript does not have yet. */
async function settleCall(session: Session, input: PostToolUse): Promise<undefined> {
  const { tool_name: tool, tool_input, tool_use_id: id, tool_response: result } = input;
  const asked = (await session.pending()).find(({ resume }) => resume?.toolCallId === id);
  const dialog = dialogOf({ tool, input: tool_input });
  if (asked && dialog)
    await settleOne(session, asked, dialog, { isError: false, text: '', result, isByHook: false });
}

async function settleOne(
  session: Session,
  asked: Notification,
  dialog: Dialog,
  result: ToolResult | undefined,
): Promise<void> {
  if (!result) return session.cancelled(asked, CLOSED);
  if (asked.status !== 'open' && dialog.isFrom(asked, result)) {
    await session.delivered(asked);
    return;
  }
  await session.decidedAtDesk(asked, dialog.atDesk(result), result.isByHook ? ANOTHER_HOOK : undefined);
}

const CLOSED = 'The dialog was closed.';

/** Another hook of the person decided before anybody could. */
const ANOTHER_HOOK: By = { actor: { kind: 'policy', name: 'another hook' }, channel: 'desk' };
