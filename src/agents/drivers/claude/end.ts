import type { EndReason, RunEnd } from '../../driver.ts';
import type { Exit } from '../../process/agent-process.ts';
import type { RunView } from '../../stream/view.ts';
import type { Session } from './session.ts';

/** Why we ended it ourselves. */
export interface Verdict {
  reason: EndReason;
  message: string;
}

export interface EndFacts {
  name: string;
  view: RunView;
  exit: Exit;
  stderrTail: string;
  verdict: Verdict | undefined;
  isInterrupted: boolean;
  session: Pick<Session, 'isParked' | 'isBusy' | 'isWaiting'>;
  /** The session that was to be resumed. */
  resumed: string | undefined;
  lastText: string;
}

/** The end of a run from everything that is known about it, told apart. */
export function runEnd(facts: EndFacts): RunEnd {
  const { view, exit, stderrTail, lastText, resumed } = facts;
  const { end } = view;
  const { costUsd, ...tokens } = view.usage;
  const sessionId = view.sessionId ?? resumed;
  return {
    ...verdictOf(facts),
    text: end.kind === 'ok' && end.text !== '' ? end.text : lastText,
    ...(sessionId ? { sessionId } : {}),
    // A resumed session tells what it has cost since it began, which was told before.
    usage: resumed === undefined && costUsd !== undefined ? { ...tokens, costUsd } : tokens,
    exitCode: exit.code,
    signal: exit.signal,
    stderrTail,
    skippedLines: view.skippedLines,
  };
}

function verdictOf({
  name,
  view,
  exit,
  stderrTail,
  verdict,
  isInterrupted,
  session,
  resumed,
}: EndFacts): Verdict {
  const agent = `${name}${view.version ? ` ${view.version}` : ''}`;
  const { end } = view;
  if (verdict) return verdict;
  if (isInterrupted && (end.kind !== 'ok' || session.isWaiting)) {
    return { reason: 'interrupted', message: `${agent} was interrupted.` };
  }
  if (
    end.kind === 'deferred' ||
    (session.isParked && exit.code === 0) ||
    (end.kind === 'ok' && session.isWaiting)
  ) {
    const message = `${agent} waits for an answer, without a process. It goes on when it is resumed with it.`;
    return { reason: 'parked', message };
  }
  if (end.kind === 'error') return { reason: 'failed', message: failure(agent, end.message, resumed) };
  if (end.kind === 'interrupted') return { reason: 'interrupted', message: `${agent} was interrupted.` };
  if (end.kind === 'ok' && !session.isBusy) return { reason: 'ok', message: `${agent} has finished.` };
  const last = stderrTail.trim().split('\n').at(-1)?.slice(-500) ?? '';
  const said = last === '' ? '' : ` It said: ${last}`;
  if (exit.code === 0) return { reason: 'no_result', message: `${agent} ended without a result.${said}` };
  const how = exit.signal ? `was killed by ${exit.signal}` : `ended with exit code ${exit.code}`;
  return { reason: 'crashed', message: `${agent} ${how} before it was done.${said}` };
}

function failure(agent: string, message: string, resumed: string | undefined): string {
  if (resumed !== undefined && /No conversation found|requires a valid session ID/.test(message)) {
    return `${agent} does not have the session ${resumed} any more, so it has to begin anew.`;
  }
  return `${agent} failed: ${message.slice(0, 2000)}`;
}
