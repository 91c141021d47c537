import type { Event } from '../../../src/schema/event.ts';
import type { Notification, Response } from '../../../src/schema/notification.ts';
import { responseText, who } from '../text/words.ts';

/** One line of what happened in a run. */
export interface LogLine {
  number: number;
  at: string;
  kind: 'text' | 'tool' | 'asked' | 'answered' | 'state';
  text: string;
}

/** What belongs to a run among a project's events: its own, and its questions with their answers. */
export function runLog(runId: string, events: readonly Event[]): LogLine[] {
  const asked = new Set<string>();
  return events.flatMap((event) => {
    const line = lineOf(runId, event, asked);
    return line ? [{ number: event.number, at: event.at, ...line }] : [];
  });
}

function lineOf(
  runId: string,
  { type, data, by }: Event,
  asked: Set<string>,
): Pick<LogLine, 'kind' | 'text'> | undefined {
  switch (type) {
    case 'run.event':
      return data.id === runId ? step(data) : undefined;
    case 'notification.added': {
      const { id, resume, questions } = data.notification as Notification;
      if (resume?.run !== runId) return undefined;
      asked.add(id);
      return { kind: 'asked', text: questions.map(({ text }) => text).join(' / ') };
    }
    case 'notification.resolved': {
      if (!asked.has(String(data.id))) return undefined;
      const said = ((data.responses ?? []) as Response[]).map(responseText).join(' / ');
      return { kind: 'answered', text: `${said || String(data.status)} (${who(by)})` };
    }
    default:
      return undefined;
  }
}

function step(data: Event['data']): Pick<LogLine, 'kind' | 'text'> | undefined {
  switch (data.kind) {
    case 'text':
      return { kind: 'text', text: String(data.text) };
    case 'tool':
      return { kind: 'tool', text: String(data.tool) };
    case 'usage':
      return undefined;
    case 'started':
      return { kind: 'state', text: `started with ${String(data.agent)}` };
    case 'session':
      return { kind: 'state', text: `session ${String(data.sessionId)}` };
    case 'take':
      return { kind: 'state', text: `taken up by ${String(data.holder)}` };
    case 'wait':
      return { kind: 'state', text: 'waits; no process is held' };
    case 'end': {
      const { reason, message } = (data.end ?? {}) as { reason?: string; message?: string };
      return { kind: 'state', text: `ended: ${reason ?? ''} ${message ?? ''}`.trim() };
    }
    default:
      return { kind: 'state', text: String(data.kind) };
  }
}

/** The tokens and the cost so far, as the agent told them last. */
export function usageOf(runId: string, events: readonly Event[]): Record<string, number> | undefined {
  const last = events.findLast(
    ({ type, data }) => type === 'run.event' && data.id === runId && data.kind === 'usage',
  );
  return last?.data.usage as Record<string, number> | undefined;
}
