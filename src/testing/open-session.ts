import { randomUUID } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import type { Arguments } from './arguments.ts';
import type { Behaviour } from './behaviour.ts';
import type { LoadedScenario } from './scenario.ts';
import { SessionLog } from './session-log.ts';
import type { StateFolder } from './state-folder.ts';

export type Opened =
  | { session: SessionLog; claimed: number[] }
  /** Printed to stderr, and as a result if the real program does that. */
  | { problem: string; asResult: boolean };

/** A new session, with the invocation that sets its id, or the session to resume. */
export function openSession(
  args: Arguments,
  scenario: LoadedScenario,
  behaviour: Behaviour,
  state: StateFolder,
): Opened {
  const cwd = process.cwd();
  const { flushAfterMs } = scenario;
  if (args.resume !== undefined) return resumeSession(args.resume, args.fork, scenario, behaviour, state);
  if (args.sessionId !== undefined && SessionLog.open(args.sessionId, state.sessionFile(args.sessionId), 0))
    return { problem: `Error: Session ID ${args.sessionId} is already in use.`, asResult: false };
  const claimed = scenario.counts === 'session' ? 0 : state.claim();
  const id = args.sessionId ?? scenario.invocations[claimed]?.sessionId ?? randomUUID();
  return { session: SessionLog.begin(id, state.sessionFile(id), cwd, flushAfterMs), claimed: [claimed] };
}

function resumeSession(
  resumed: string,
  fork: boolean,
  { flushAfterMs }: LoadedScenario,
  behaviour: Behaviour,
  state: StateFolder,
): Opened {
  const file = state.sessionFile(resumed);
  const original = SessionLog.open(resumed, file, flushAfterMs);
  const elsewhere = original && !behaviour.resumesAnywhere && original.standing.cwd !== process.cwd();
  if (!original || elsewhere)
    return { problem: `No conversation found with session ID: ${resumed}`, asResult: true };
  const session = fork ? copyOf(file, state, flushAfterMs) : original;
  for (const { toolUseId } of session.standing.open)
    session.add({ type: 'lost', toolUseId, kept: behaviour.keepsOpenCall });
  return { session, claimed: [] };
}

function copyOf(file: string, state: StateFolder, flushAfterMs: number): SessionLog {
  const id = randomUUID();
  copyFileSync(file, state.sessionFile(id));
  return SessionLog.open(id, state.sessionFile(id), flushAfterMs) as SessionLog;
}
