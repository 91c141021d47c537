import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FermataError } from '../schema/error.ts';
import { type Arguments, parseArguments } from './arguments.ts';
import { ControlHost } from './control-host.ts';
import { converse, Inbox, listen } from './conversation.ts';
import { loadScenario } from './load-scenario.ts';
import { type Identity, resultEvent, stateEvent } from './messages.ts';
import { Output } from './output.ts';
import { ASK_TOOL } from './questions.ts';
import { type Behaviour, behaviours, type LoadedScenario, versionOf } from './scenario.ts';
import { SessionLog, StateFolder } from './session-log.ts';
import type { Stage } from './stage.ts';

/** The scripted agent: speaks the protocol of Claude Code and does what a scenario file says. Resolves to the exit code. */
export async function main(words: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const args = parseArguments(words);
  if ('error' in args) return refuse(args.error);
  const file = scenarioFile(args.scenario ?? env.FAKE_CLAUDE_CONFIG, env.FERMATA_PHASE);
  if (args.version && !(file && existsSync(file))) return tellVersion(behaviours['2.1.325'].version);
  if (!file)
    return refuse(
      'No scenario given. Set FAKE_CLAUDE_CONFIG to a scenario file, or start this program with --scenario FILE.',
    );
  try {
    const scenario = loadScenario(file, process.cwd());
    if (args.version) return tellVersion(versionOf(scenario));
    return await perform({ args, words, scenario, env });
  } catch (error) {
    if (error instanceof FermataError) return refuse(error.message);
    throw error;
  }
}

/** In a folder, the file of the phase that the agent works on: `2-A.json`; `default.json` if there is none. */
function scenarioFile(named: string | undefined, phase: string | undefined): string | undefined {
  if (named === undefined || !statSync(named, { throwIfNoEntry: false })?.isDirectory()) return named;
  const file = join(named, `${(phase ?? 'default').replace(/[^\w.-]/g, '_')}.json`);
  return existsSync(file) ? file : join(named, 'default.json');
}

function tellVersion(version: string): number {
  process.stdout.write(`${version} (Claude Code, scripted)\n`);
  return 0;
}

function refuse(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}

const TOOLS = ['Bash', 'Edit', 'ExitPlanMode', 'Read', 'Write'];

interface Performance {
  args: Arguments;
  /** The command line, unchanged. */
  words: string[];
  scenario: LoadedScenario;
  env: NodeJS.ProcessEnv;
}

/** Plays the scenario; resolves to the exit code. */
async function perform(performance: Performance): Promise<number> {
  const { args, scenario, words } = performance;
  const behaviour: Behaviour = behaviours[scenario.behaves];
  const output = new Output(args.output);
  const state = new StateFolder(scenario.state);
  const opened = openSession(args, scenario, behaviour, state);
  if ('problem' in opened) {
    process.stderr.write(`${opened.problem}\n`);
    if (opened.asResult) tellAsResult(opened.problem, identity(performance, randomUUID()), output);
    await output.flushed();
    return 1;
  }
  const { session, claimed } = opened;
  const who = identity(performance, session.id);
  const inbox = new Inbox();
  const tellState: Stage['tellState'] = (state) => {
    if (performance.env.CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS === '1') output.event(stateEvent(who, state));
  };
  const isStreaming = args.input === 'stream-json';
  const control = new ControlHost({
    ...who,
    isStreaming,
    permissionTool: args.permissionTool,
    busy: () => session.standing.parked !== undefined,
    emit: (event) => output.event(event),
    onWaiting: (waiting) => tellState(waiting ? 'requires_action' : 'running'),
  });
  const signals = handleSignals(session, () => {
    if (!isStreaming) process.exit(130);
    control.interrupt();
    inbox.close();
  });
  const stage: Stage = {
    ...who,
    scenario,
    output,
    session,
    state,
    host: control,
    attended: isStreaming && args.permissionTool === 'stdio',
    claimed,
    args: words,
    resumed: args.resume,
    ignoreSigterm: signals.ignoreSigterm,
    tellState,
    takeMessages: () => inbox.takeAll(),
  };
  if (isStreaming) {
    listen(process.stdin, control, inbox, refuseLine);
  } else {
    inbox.add(args.prompt ?? (await readAll(process.stdin)));
    inbox.close();
    control.close();
  }
  const code = await converse(stage, control, inbox);
  session.flush();
  await output.flushed();
  return signals.interrupted() ? 0 : code;
}

function identity({ args, scenario }: Performance, sessionId: string): Identity {
  const behaviour: Behaviour = behaviours[scenario.behaves];
  const isOffered = args.permissionTool !== undefined || behaviour.unattendedQuestion !== 'no_tool';
  return {
    behaviour,
    version: versionOf(scenario),
    sessionId,
    cwd: process.cwd(),
    model: args.model ?? 'scripted',
    permissionMode: args.permissionMode,
    tools: scenario.canAsk && isOffered ? [ASK_TOOL, ...TOOLS] : TOOLS,
  };
}

/** Like the real program: TERM ends at once with 143, INT interrupts the turn and ends with 0. */
function handleSignals(session: SessionLog, breakOff: () => void) {
  let ignoring = false;
  let interrupted = false;
  process.on('SIGTERM', () => {
    if (ignoring) return;
    session.flush();
    process.exit(143);
  });
  process.on('SIGINT', () => {
    interrupted = true;
    breakOff();
  });
  return {
    ignoreSigterm: (ignore: boolean) => {
      ignoring = ignore;
    },
    interrupted: () => interrupted,
  };
}

function tellAsResult(message: string, who: Identity, output: Output): void {
  const event = resultEvent(who, {
    subtype: 'error_during_execution',
    isError: true,
    stopReason: null,
    errors: [message],
    numTurns: 0,
    durationMs: 0,
    tokens: { inputTokens: 0, outputTokens: 0 },
    denials: [],
  });
  output.event(event);
}

function refuseLine(line: string): void {
  process.stderr.write(`Error parsing streaming input line: ${line}: SyntaxError: JSON Parse error\n`);
  process.exit(1);
}

async function readAll(input: NodeJS.ReadStream): Promise<string> {
  let text = '';
  for await (const chunk of input.setEncoding('utf8')) text += chunk;
  return text.trimEnd();
}

type Opened =
  | { session: SessionLog; claimed: number[] }
  /** Printed to stderr, and as a result if the real program does that. */
  | { problem: string; asResult: boolean };

/** A new session, with the invocation that sets its id, or the session to resume. */
function openSession(
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
