import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { claudeDriver } from '../../../src/agents/claude/driver.ts';
import type { ClaudeOptions } from '../../../src/agents/claude/launch.ts';
import type { AgentDriver, AgentEvent, AgentRun, AgentSetup } from '../../../src/agents/driver.ts';
import type { Notification } from '../../../src/schema/notification.ts';

// biome-ignore lint/suspicious/noExplicitAny: the stand-in is a small program of its own, without types
type Any = any;

/** What a stand-in for Claude Code can do; `prelude` implements it. */
export interface Cli {
  argv: string[];
  say(message: object): void;
  raw(text: string): Promise<void>;
  /** The first matching message from the host that was not taken yet. */
  take(fits: (message: Any) => boolean): Promise<Any>;
  question(text: string, options?: string[], multiSelect?: boolean): object;
  /** Takes `initialize` and the first user message; says `system/init`. */
  begin(about?: { version?: string; tools?: string[] | null }): Promise<Any>;
  /** One content block of a message of the model. */
  block(messageId: string, block: object, more?: object): void;
  text(words: string): void;
  call(messageId: string, id: string, input: object): void;
  /** Asks for permission of AskUserQuestion; the host's response. */
  ask(id: string, input: object, more?: object): Promise<Any>;
  hook(id: string, input: object): Promise<Any>;
  /** All of the input, if it is plain text. */
  input(): Promise<string>;
  /** Any other control request. */
  request(request: object): Promise<Any>;
  echo(id: string, isError?: boolean): void;
  result(more?: object): void;
  /** Waits for the end of the input, and ends. */
  finish(code?: number): Promise<never>;
  end(code: number): never;
  sleep(ms: number): Promise<void>;
}

const prelude = `
const { createInterface } = require('node:readline');
const inbox = [], waiting = [];
let ended = false;
const look = () => { for (const w of [...waiting]) { const i = inbox.findIndex(w.fits); if (i >= 0) { waiting.splice(waiting.indexOf(w), 1); w.resolve(inbox.splice(i, 1)[0]); } } };
const lines = createInterface({ input: process.stdin });
const text = [];
lines.on('line', (line) => {
  if (!process.argv.includes('--input-format')) return text.push(line);
  let message;
  try { message = JSON.parse(line); } catch { process.stderr.write('Error parsing streaming input line\\n'); process.exit(1); }
  require('node:fs').appendFileSync(LOG, line + '\\n');
  inbox.push(message); look();
});
lines.on('close', () => { ended = true; inbox.push({ type: 'EOF' }); look(); });
let requests = 0;
const SESSION = '11111111-2222-4333-8444-555555555555';
const cli = {
  argv: process.argv.slice(2),
  say: (message) => { process.stdout.write(JSON.stringify(message) + '\\n'); },
  raw: (text) => new Promise((resolve) => process.stdout.write(text, () => resolve())),
  take: (fits) => new Promise((resolve) => { waiting.push({ fits, resolve }); look(); }),
  question: (text, options = ['Rust', 'Zig'], multiSelect = false) => ({ question: text, header: 'Choice', multiSelect, options: options.map((label) => ({ label, description: label + ' it is' })) }),
  async begin({ version = '2.1.325', tools = ['Bash', 'AskUserQuestion'] } = {}) {
    const start = await cli.take((m) => m.type === 'control_request' && m.request.subtype === 'initialize');
    cli.say({ type: 'control_response', response: { subtype: 'success', request_id: start.request_id, response: { session_state: 'idle' } } });
    const user = await cli.take((m) => m.type === 'user');
    cli.say({ type: 'system', subtype: 'init', session_id: SESSION, claude_code_version: version, ...(tools === null ? {} : { tools }) });
    return { start, user };
  },
  block: (id, block, more = {}) => cli.say({ type: 'assistant', message: { id, role: 'assistant', model: 'stand-in', content: [block], stop_reason: null, usage: { input_tokens: 10, output_tokens: 1 } }, parent_tool_use_id: null, session_id: SESSION, ...more }),
  text: (words) => cli.block('msg_' + ++requests, { type: 'text', text: words }),
  call: (message, id, input) => cli.block(message, { type: 'tool_use', id, name: 'AskUserQuestion', input }),
  async request(request) {
    const request_id = 'request-' + ++requests;
    cli.say({ type: 'control_request', request_id, request });
    const { response } = await cli.take((m) => m.type === 'control_response' && m.response.request_id === request_id);
    return response.response ?? response;
  },
  ask: (id, input, more = {}) => cli.request({ subtype: 'can_use_tool', tool_name: 'AskUserQuestion', input, tool_use_id: id, ...more }),
  hook: (id, input) => cli.request({ subtype: 'hook_callback', callback_id: 'fermata-ask', input: { session_id: SESSION, hook_event_name: 'PreToolUse', tool_name: 'AskUserQuestion', tool_input: input, tool_use_id: id }, tool_use_id: id }),
  echo: (id, isError = false) => cli.say({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'outcome', is_error: isError }] }, session_id: SESSION }),
  result: (more = {}) => cli.say({ subtype: 'success', is_error: false, result: 'Done.', stop_reason: 'end_turn', session_id: SESSION, total_cost_usd: 0.5, usage: { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 3 }, permission_denials: [], ...more, type: 'result' }),
  async input() { await cli.take((m) => m.type === 'EOF'); return text.join('\\n'); },
  async finish(code = 0) { await cli.take((m) => m.type === 'EOF'); process.exit(code); },
  end: (code) => process.exit(code),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
if (process.argv.includes('--version')) { console.log(VERSION); process.exit(0); }
`;

/** A program that behaves as told, on disk; removed after the test. */
export function standIn(behaviour: (cli: Cli) => unknown, version = '2.1.325 (Stand-in)') {
  const dir = mkdtempSync(join(tmpdir(), 'fermata-claude-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'stand-in.cjs');
  const log = join(dir, 'heard.jsonl');
  writeFileSync(log, '');
  const constants = `const LOG = ${JSON.stringify(log)}, VERSION = ${JSON.stringify(version)};`;
  writeFileSync(file, `${constants}${prelude}\n(${behaviour.toString()})(cli);\n`);
  /** Every line that the host wrote. */
  const heard = (): Any[] =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  return { file, dir, heard };
}

export interface Played {
  run: AgentRun;
  driver: AgentDriver;
  setup: AgentSetup;
  events: AgentEvent[];
  /** The first matching event, past or future. */
  event<K extends AgentEvent['kind']>(
    kind: K,
    fits?: (event: Extract<AgentEvent, { kind: K }>) => boolean,
  ): Promise<Extract<AgentEvent, { kind: K }>>;
  heard(): Any[];
}

export interface PlayOptions extends Partial<AgentSetup> {
  options?: Partial<ClaudeOptions>;
  prompt?: string;
  start?(driver: AgentDriver, setup: AgentSetup): AgentRun;
}

/** Starts the driver with a stand-in, and reads its events. Fails the test when something is left running. */
export function play(behaviour: (cli: Cli) => unknown, given: PlayOptions = {}): Played {
  const { options, prompt = 'Plan the project', start, ...more } = given;
  const { file, dir, heard } = standIn(behaviour);
  const saved = { savesTranscripts: false }; // the stand-in writes none
  const driver = claudeDriver({ program: process.execPath, args: [file], ...saved, ...options });
  const setup: AgentSetup = { cwd: dir, env: { PATH: process.env.PATH, HOME: dir }, mustAsk: true, ...more };
  const run = start ? start(driver, setup) : driver.start(setup, prompt);
  return { ...follow(run), driver, setup, heard };
}

export function follow(run: AgentRun): Pick<Played, 'run' | 'events' | 'event'> {
  const events: AgentEvent[] = [];
  const look = new Set<() => void>();
  void (async () => {
    for await (const event of run.events) {
      events.push(event);
      for (const each of look) each();
    }
  })();
  onTestFinished(async () => {
    await run.stop();
  });
  const event: Played['event'] = (kind, fits = () => true) =>
    new Promise((resolve, reject) => {
      const check = () => {
        const found = events.find((each) => each.kind === kind && fits(each as never));
        if (found === undefined) return;
        look.delete(check);
        resolve(found as never);
      };
      look.add(check);
      check();
      void run.ended.then((end) =>
        setTimeout(() => reject(new Error(`No ${kind} came before the end: ${JSON.stringify(end)}`)), 20),
      );
    });
  return { run, events, event };
}

const by = { actor: { kind: 'person' as const, name: 'Ada' }, channel: 'terminal' as const };
const at = '2026-01-01T00:00:00.000Z';

type Given =
  | string
  | string[]
  | { answer: string | string[]; note?: string }
  | { skipped: true }
  | { dismissed: string };

/** The questions of an ask as a settled notification, with an answer for each. */
export function settle(
  ask: { id: string; questions: unknown[] },
  answers: Given[],
  more: Partial<Notification> = {},
): Notification {
  const questions = ask.questions as Notification['questions'];
  return {
    id: `n-${ask.id}`,
    projectId: 'p',
    source: 'execute',
    sourceId: 't',
    kind: 'question',
    holds: {},
    status: 'answered',
    outcome: 'answered',
    questions: questions.map((question, index) => ({ ...question, id: question.id ?? `q${index + 1}` })),
    responses: answers.map((given, index) => ({
      questionId: questions[index]?.id ?? `q${index + 1}`,
      by,
      at,
      ...responseOf(given),
    })),
    policy: { kind: 'wait' },
    createdAt: at,
    createdBy: by,
    resume: { agent: 'claude', toolCallId: ask.id },
    ...more,
  };
}

function responseOf(given: Given) {
  if (typeof given === 'string' || Array.isArray(given)) return { kind: 'answered' as const, answer: given };
  if ('skipped' in given) return { kind: 'skipped' as const };
  if ('dismissed' in given) return { kind: 'dismissed' as const, reason: given.dismissed };
  return { kind: 'answered' as const, ...given };
}
