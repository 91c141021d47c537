import type { Event } from '../../../src/schema/event.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import { type Spent, spentIn } from '../../../src/schema/run-usage.ts';
import { said } from '../text/said.ts';
import { responseText, who } from '../text/words.ts';
import { endWords } from './run-state.ts';

/** One line of what happened in a run. */
export interface LogLine {
  at: string;
  kind: 'text' | 'tool' | 'asked' | 'answered' | 'state';
  text: string;
}

/** What a run did, asked and was answered, in the order in which it happened. */
export function runLog(events: readonly Event[], questions: readonly Notification[]): LogLine[] {
  const lines = [...events.flatMap((event) => stepLine(event) ?? []), ...questions.flatMap(questionLines)];
  return lines.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

function questionLines({
  createdAt,
  questions,
  status,
  outcome,
  responses,
  resolvedAt,
  resolvedBy,
}: Notification): LogLine[] {
  const asked: LogLine = {
    at: createdAt,
    kind: 'asked',
    text: questions.map(({ text }) => text).join(' / '),
  };
  if (status === 'open' || resolvedAt === undefined) return [asked];
  const said = responses.map(responseText).join(' / ') || (outcome ?? status);
  const by = resolvedBy ? ` (${who(resolvedBy)})` : '';
  return [asked, { at: resolvedAt, kind: 'answered', text: `${said}${by}` }];
}

function stepLine(event: Event): LogLine | undefined {
  if (event.type !== 'run.event') return undefined;
  const { at, data } = event;
  switch (data.kind) {
    case 'text':
      return { at, kind: 'text', text: said(data.text) };
    case 'tool':
      return { at, kind: 'tool', text: data.tool };
    case 'message': {
      const { by, text, delivery } = data.message;
      return delivery === 'queued' ? { at, kind: 'answered', text: `${text} (${who(by)})` } : undefined;
    }
    case 'usage':
      return undefined;
    case 'started':
      return { at, kind: 'state', text: `started with ${data.agent}` };
    case 'session':
      return { at, kind: 'state', text: `session ${data.sessionId}` };
    case 'take':
      return { at, kind: 'state', text: `resumed by ${data.holder}` };
    case 'wait':
      return { at, kind: 'state', text: 'parked until its question is answered' };
    case 'end': {
      const { reason = '', message = '' } = data.end ?? {};
      return { at, kind: 'state', text: `ended: ${endWords(reason)}. ${message}` };
    }
    default: {
      const never: never = data;
      return never;
    }
  }
}

/** The tokens and cost so far, of all processes of the agent; undefined if it has reported none. */
export function usageSoFar(events: readonly Event[]): Spent | undefined {
  const steps = events.flatMap((event) => (event.type === 'run.event' ? [event.data] : []));
  return steps.some(({ kind }) => kind === 'usage') ? spentIn(steps) : undefined;
}
