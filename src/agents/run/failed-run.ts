import { type AgentRun, type EndReason, noUsage, type RunEnd } from '../driver.ts';
import { EventQueue } from './event-queue.ts';

/** A run that could not begin: it has no events and ends at once, with the reason. */
export function failedRun(reason: EndReason, message: string): AgentRun {
  const end: RunEnd = {
    reason,
    message,
    text: '',
    usage: noUsage,
    exitCode: null,
    signal: null,
    stderrTail: '',
    skippedLines: 0,
  };
  const events = new EventQueue<never>();
  events.close();
  const ended = Promise.resolve(end);
  return {
    events,
    ended,
    answer: async () => false,
    permit: async () => false,
    interrupt: async () => undefined,
    stop: () => ended,
  };
}
