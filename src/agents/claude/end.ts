import type { RunEnd } from '../driver.ts';
import type { Exit } from '../process/agent-process.ts';
import { crashed, type EndCause, failed, interrupted, noResult, runEnd } from '../run/end.ts';
import type { RunView, StreamEnd } from '../stream/view.ts';
import type { Dialogue } from './dialogue.ts';

export interface EndFacts {
  name: string;
  view: RunView;
  exit: Exit;
  stderrTail: string;
  /** Why Fermata ended the run. */
  cause: EndCause | undefined;
  isInterrupted: boolean;
  dialogue: Pick<Dialogue, 'isParked' | 'isBusy' | 'isWaiting'>;
  /** The session to resume. */
  resumed: string | undefined;
  lastText: string;
}

/** Determines how a run ended from everything known about it. */
export function claudeEnd(facts: EndFacts): RunEnd {
  const { view, exit, stderrTail, lastText, resumed } = facts;
  const { end, skippedLines } = view;
  const { costUsd, ...tokens } = view.usage;
  return runEnd(verdictOf(facts), exit, {
    sessionId: view.sessionId ?? resumed,
    text: end.kind === 'ok' && end.text !== '' ? end.text : lastText,
    // A resumed session reports its total cost, including what we have already counted.
    usage: resumed === undefined && costUsd !== undefined ? { ...tokens, costUsd } : tokens,
    stderrTail,
    skippedLines,
  });
}

function verdictOf({
  name,
  view,
  exit,
  stderrTail,
  cause,
  isInterrupted,
  dialogue,
  resumed,
}: EndFacts): EndCause {
  const agent = `${name}${view.version ? ` ${view.version}` : ''}`;
  const { end } = view;
  if (cause) return cause;
  if (isInterrupted && (end.kind !== 'ok' || dialogue.isWaiting)) {
    return interrupted(agent);
  }
  if (
    end.kind === 'deferred' ||
    (dialogue.isParked && exit.code === 0) ||
    (end.kind === 'ok' && dialogue.isWaiting)
  ) {
    const message = `${agent} is parked: its process has ended, and its session can be resumed with the answer.`;
    return { reason: 'parked', message };
  }
  if (end.kind === 'error') return failure(agent, end, resumed);
  if (end.kind === 'ok' && !dialogue.isBusy) return { reason: 'ok', message: `${agent} has finished.` };
  // If there is a session, somebody else interrupted it, because Claude Code exits with 0 after SIGINT during a turn.
  if (exit.code === 0 && view.sessionId === null) return noResult(agent, stderrTail);
  return crashed(agent, exit, stderrTail);
}

/** Claude Code's messages for a session that does not exist, or an id that is not valid. */
const NO_SESSION = /^(?:No conversation found with session ID|Error: --resume requires a valid session ID)/;

function failure(
  agent: string,
  { message, apiStatus }: Extract<StreamEnd, { kind: 'error' }>,
  resumed: string | undefined,
): EndCause {
  if (resumed !== undefined && NO_SESSION.test(message)) {
    const lost = `${agent} no longer has the session ${resumed}, so it has to start over.`;
    return { reason: 'session_lost', message: lost };
  }
  return failed(agent, message, apiStatus);
}
