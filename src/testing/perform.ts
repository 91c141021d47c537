import { randomUUID } from 'node:crypto';
import type { Arguments } from './arguments.ts';
import { type Behaviour, behaviours } from './behaviour.ts';
import { ControlHost } from './control-host.ts';
import { converse, listen } from './conversation.ts';
import { NoHost, offersQuestions } from './host.ts';
import { Inbox } from './inbox.ts';
import { type Identity, Messages } from './messages.ts';
import { openSession } from './open-session.ts';
import { Output } from './output.ts';
import { ASK_TOOL } from './question-call.ts';
import { type LoadedScenario, versionOf } from './scenario.ts';
import type { SessionLog } from './session-log.ts';
import type { Stage } from './stage.ts';
import { StateFolder } from './state-folder.ts';

const TOOLS = ['Bash', 'Edit', 'ExitPlanMode', 'Read', 'Write'];

export interface Performance {
  args: Arguments;
  /** The command line, unchanged. */
  words: string[];
  scenario: LoadedScenario;
  env: NodeJS.ProcessEnv;
}

/** Plays the scenario; resolves to the exit code. */
export async function perform(performance: Performance): Promise<number> {
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
  const messages = new Messages(who);
  const inbox = new Inbox();
  const tellState: Stage['tellState'] = (state) => {
    if (performance.env.CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS === '1') output.event(messages.state(state));
  };
  const control = new ControlHost({
    ...who,
    asks: args.permissionTool === 'stdio',
    busy: () => session.standing.parked !== undefined,
    emit: (event) => output.event(event),
    onWaiting: (waiting) => tellState(waiting ? 'requires_action' : 'running'),
  });
  const streaming = args.input === 'stream-json';
  const signals = handleSignals(session, () => {
    if (!streaming) process.exit(130);
    control.interrupt();
    inbox.close();
  });
  const stage: Stage = {
    scenario,
    behaviour,
    messages,
    output,
    session,
    state,
    host: streaming ? control : new NoHost(args, behaviour),
    canAsk: who.tools.includes(ASK_TOOL),
    attended: streaming && args.permissionTool === 'stdio',
    claimed,
    args: words,
    ...(args.resume === undefined ? {} : { resumed: args.resume }),
    cwd: who.cwd,
    ignoreSigterm: signals.ignoreSigterm,
    tellState,
    takeMessages: () => inbox.takeAll(),
  };
  if (streaming) {
    listen(process.stdin, control, inbox, refuseLine);
  } else {
    inbox.add(args.prompt ?? (await readAll(process.stdin)));
    inbox.close();
    control.close();
  }
  const code = await converse(stage, control, inbox);
  await close(session, output);
  return signals.interrupted() ? 0 : code;
}

function identity({ args, scenario }: Performance, sessionId: string): Identity {
  const behaviour: Behaviour = behaviours[scenario.behaves];
  return {
    behaviour,
    version: versionOf(scenario),
    sessionId,
    cwd: process.cwd(),
    model: args.model ?? 'scripted',
    permissionMode: args.permissionMode,
    tools: offersQuestions(args, behaviour, scenario.canAsk) ? [ASK_TOOL, ...TOOLS] : TOOLS,
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
  const event = new Messages(who).result({
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

async function close(session: SessionLog, output: Output): Promise<void> {
  session.flush();
  await output.flushed();
}

async function readAll(input: NodeJS.ReadStream): Promise<string> {
  let text = '';
  for await (const chunk of input.setEncoding('utf8')) text += chunk;
  return text.trimEnd();
}
