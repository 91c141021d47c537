import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { scriptedAgentProgram } from '../agents/process/program.ts';
import {
  type AgentScenarioInput,
  type AskStep,
  checkScenario,
  type ScriptedQuestion,
  type Step,
  type ToolStep,
} from './scenario.ts';
import { type AnswerRecord, type Entry, readLines, StateFolder, type TurnRecord } from './session-log.ts';

type Invocation = AgentScenarioInput['invocations'][number];
type AskOptions = Omit<AskStep, 'do' | 'questions'>;
type CallOptions = { permission?: boolean; toolUseId?: string; parent?: string };

/**
 * Builds a scenario for the scripted agent, in playing order:
 *
 *     const scenario = new ScenarioBuilder()
 *       .asksQuestions([{ id: 'lang', question: 'Which language?', options: [{ label: 'Rust' }, { label: 'Go' }] }])
 *       .writesFile('LANGUAGE', '{{answer:lang}}')
 *       .respondsWithText('Done in {{answer:lang}}.')
 *       .build();
 *
 * Each step changes the builder and returns it.
 */
export class ScenarioBuilder {
  readonly #scenario: AgentScenarioInput = { invocations: [{ steps: [] }] };

  /** Imitates a version of the real program; `seed` ends at a question in plain `-p`. */
  behavesLike(version: NonNullable<AgentScenarioInput['behaves']>): this {
    this.#scenario.behaves = version;
    return this;
  }

  /** Prints a version other than the one it imitates. */
  saysVersion(version: string): this {
    this.#scenario.version = version;
    return this;
  }

  /** The question tool does not exist. */
  cannotAsk(): this {
    this.#scenario.canAsk = false;
    return this;
  }

  /** Every session plays from the first invocation, so that many can play one scenario at once. */
  forEachSession(): this {
    this.#scenario.counts = 'session';
    return this;
  }

  /** A kill within this time after an event loses that part of the session. */
  flushesAfter(ms: number): this {
    this.#scenario.flushAfterMs = ms;
    return this;
  }

  withSessionId(sessionId: string): this {
    this.#current.sessionId = sessionId;
    return this;
  }

  /** What follows is played for the next input: a resumed session, the next message, the answer to a last question. */
  nextInvocation(): this {
    this.#scenario.invocations.push({ steps: [] });
    return this;
  }

  respondsWithText(text: string, options: { parent?: string } = {}): this {
    return this.does({ do: 'say', text, ...options });
  }

  thinks(text: string): this {
    return this.does({ do: 'think', text });
  }

  /** Asks with one call of the question tool, and waits for the answers. */
  asksQuestions(questions: ScriptedQuestion[], options: AskOptions = {}): this {
    return this.does({ do: 'ask', questions, ...options });
  }

  /** Several calls of the question tool in one message, all open at once. */
  asksAtOnce(...calls: ScriptedQuestion[][]): this {
    return this.together(...calls.map((questions) => ({ do: 'ask' as const, questions })));
  }

  /** Several tool calls in one message. */
  together(...steps: ToolStep[]): this {
    return this.does({ do: 'together', steps });
  }

  /** Shows a tool call without doing anything. */
  usesTool(tool: string, input: Record<string, unknown>, result?: string, options: CallOptions = {}): this {
    return this.does({ do: 'use', tool, input, ...(result === undefined ? {} : { result }), ...options });
  }

  /** Asks for permission to use a tool, and shows `result` if it is granted. */
  asksPermission(tool: string, input: Record<string, unknown>, result?: string): this {
    return this.usesTool(tool, input, result, { permission: true });
  }

  /** Really writes a file, inside the agent's folder. */
  writesFile(path: string, content: string, options: CallOptions = {}): this {
    return this.does({ do: 'write', path, content, ...options });
  }

  editsFile(path: string, replace: string, by: string, options: CallOptions = {}): this {
    return this.does({ do: 'edit', path, replace, with: by, ...options });
  }

  /** Really runs a shell command; answers are in its environment, as ANSWER_ID. */
  runs(command: string, options: CallOptions = {}): this {
    return this.does({ do: 'run', command, ...options });
  }

  delays(ms: number): this {
    return this.does({ do: 'wait', ms });
  }

  /** Prints any event. */
  emits(event: Record<string, unknown>): this {
    return this.does({ do: 'event', event });
  }

  /** Prints any line to stdout. */
  raw(line: string): this {
    return this.does({ do: 'raw', line });
  }

  /** Prints bytes to stdout, which need not be text. */
  rawBytes(bytes: Uint8Array): this {
    return this.does({ do: 'bytes', base64: Buffer.from(bytes).toString('base64') });
  }

  /** Prints a lot of the same text, on one line unless the text has a newline. */
  floods(to: 'stdout' | 'stderr', bytes: number, text?: string): this {
    return this.does({ do: 'flood', to, bytes, ...(text === undefined ? {} : { text }) });
  }

  writesStderr(text: string): this {
    return this.does({ do: 'stderr', text });
  }

  /** Ends the turn with an error of the model. */
  fails(message: string): this {
    return this.does({ do: 'fail', message });
  }

  crashes(signal: 'SIGKILL' | 'SIGSEGV' | 'SIGABRT' = 'SIGKILL'): this {
    return this.does({ do: 'crash', signal });
  }

  /** Dies right after this many lines on stdout. */
  crashesAfter(events: number): this {
    this.#current.crashAfterEvents = events;
    return this;
  }

  /** Ends at once with this code, without a result. */
  exits(code: number): this {
    return this.does({ do: 'exit', code });
  }

  /** Ends with this code after its result. */
  endsWithCode(code: number): this {
    this.#current.exitCode = code;
    return this;
  }

  endsWithoutResult(): this {
    this.#current.result = false;
    return this;
  }

  /** Does not print `system/init`. */
  beginsWithoutInit(): this {
    this.#current.init = false;
    return this;
  }

  closesStdout(): this {
    return this.does({ do: 'closeStdout' });
  }

  neverEnds(): this {
    return this.does({ do: 'hang' });
  }

  ignoresSigterm(): this {
    this.#current.ignoresSigterm = true;
    return this;
  }

  /** The tokens of each message. */
  uses(inputTokens: number, outputTokens: number): this {
    this.#current.usage = { inputTokens, outputTokens };
    return this;
  }

  /** Adds any step, as in a scenario file. */
  does(step: Step): this {
    this.#current.steps.push(step);
    return this;
  }

  /** The scenario, as in a scenario file. */
  toJSON(): AgentScenarioInput {
    return structuredClone(this.#scenario);
  }

  /** Writes it into a folder, by default a new one, with its own counter and answers. */
  build(folder?: string): ScenarioHandle {
    checkScenario(this.#scenario, 'The built scenario');
    const home = folder === undefined ? mkdtempSync(join(tmpdir(), 'fermata-scenario-')) : resolve(folder);
    mkdirSync(home, { recursive: true });
    const file = join(home, 'scenario.json');
    const state = `${file}.state`;
    writeFileSync(file, `${JSON.stringify(this.#scenario, null, 2)}\n`);
    return new ScenarioHandle(file, state, folder === undefined ? [home] : [file, state]);
  }

  get #current(): Invocation {
    return this.#scenario.invocations.at(-1) as Invocation;
  }
}

/** A scenario on disk, ready to be played, and its results. */
export class ScenarioHandle {
  /** The program that plays it; use it in place of the agent's program. */
  readonly program = scriptedAgentProgram();
  readonly file: string;
  /** What the program needs in its environment. */
  readonly env: { FAKE_CLAUDE_CONFIG: string };
  readonly #state: StateFolder;
  readonly #owned: string[];

  constructor(file: string, state: string, owned: string[]) {
    this.file = file;
    this.env = { FAKE_CLAUDE_CONFIG: file };
    this.#state = new StateFolder(state);
    this.#owned = owned;
  }

  /** The inputs so far, each with the command line of its process. */
  invocations(): TurnRecord[] {
    return this.#state.turns();
  }

  /** The answers that have reached the agent. */
  answers(): AnswerRecord[] {
    return this.#state.answers();
  }

  /** What happened in a session. */
  transcript(sessionId: string): Entry[] {
    return readLines(this.#state.sessionFile(sessionId));
  }

  /** Removes what `build` created. */
  remove(): void {
    for (const path of this.#owned) rmSync(path, { recursive: true, force: true });
  }
}

/** Asks two questions, and writes the progress file once it is resumed with the answers. */
export function interactivePlanning(): ScenarioBuilder {
  return new ScenarioBuilder()
    .behavesLike('seed')
    .withSessionId('test-session-123')
    .asksQuestions(['What programming language?', 'What database?'])
    .nextInvocation()
    .withSessionId('test-session-123')
    .respondsWithText(
      '# Progress: Interactive Test\n\n## Status\n\nIn Progress\n\n## Tasks\n\n### Phase 1: Setup\n\n- [ ] Configure project\n\n## Testing Strategy\n\nBasic tests.\n',
    );
}

/** Two rounds of questions, then the progress file. */
export function multiRoundQa(): ScenarioBuilder {
  return new ScenarioBuilder()
    .behavesLike('seed')
    .withSessionId('multi-session-456')
    .asksQuestions(['Question round 1?'])
    .nextInvocation()
    .withSessionId('multi-session-456')
    .asksQuestions(['Question round 2?'])
    .nextInvocation()
    .withSessionId('multi-session-456')
    .respondsWithText(
      '# Progress: Multi-Round Test\n\n## Status\n\nRALPH_DONE\n\n## Tasks\n\n### Phase 1: Done\n\n- [x] Task complete\n',
    );
}

/** Plans and builds a small calculator without asking anything. */
export function calculator(): ScenarioBuilder {
  return new ScenarioBuilder()
    .behavesLike('seed')
    .withSessionId('calculator-session-789')
    .respondsWithText(
      '# Progress: Calculator\n\n## Status\n\nIn Progress\n\n## Tasks\n\n### Phase 1: Calculator\n\n- [ ] Add numbers\n- [ ] Test it\n\n## Testing Strategy\n\nRun the program.\n',
    )
    .nextInvocation()
    .withSessionId('calculator-session-789')
    .writesFile('calculator.js', 'exports.add = (a, b) => a + b;\n')
    .runs(`node -e "console.log(require('./calculator.js').add(2, 3))"`)
    .respondsWithText(
      '# Progress: Calculator\n\n## Status\n\nRALPH_DONE\n\n## Tasks\n\n### Phase 1: Calculator\n\n- [x] Add numbers\n- [x] Test it\n\n## Testing Strategy\n\nRun the program.\n',
    );
}
