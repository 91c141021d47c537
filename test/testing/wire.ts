import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ScenarioBuilder, ScenarioHandle } from '../../src/testing/builder.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever the program writes
export type Message = Record<string, any>;

export const PRINT = ['-p', '--verbose', '--output-format', 'stream-json'];
export const CONTROL = [...PRINT, '--input-format', 'stream-json', '--permission-prompt-tool', 'stdio'];

/** A scenario in a folder of its own, gone after the test. */
export function built(builder: ScenarioBuilder): ScenarioHandle {
  const handle = builder.build();
  onTestFinished(() => handle.remove());
  return handle;
}

export function freshFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fermata-scripted-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Ended {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

/** The scripted agent as a process, with us as its host, message by message. */
export class Wire {
  readonly messages: Message[] = [];
  readonly ended: Promise<Ended>;
  readonly cwd: string;
  readonly child;
  #stdout = '';
  #rest = '';
  #wake: () => void = () => undefined;
  #over = false;
  #position = 0;

  constructor(
    handle: ScenarioHandle,
    args: string[] = CONTROL,
    options: { cwd?: string; env?: Message } = {},
  ) {
    this.cwd = options.cwd ?? freshFolder();
    this.child = spawn(process.execPath, [handle.program, ...args], {
      cwd: this.cwd,
      env: { PATH: process.env.PATH, ...handle.env, ...options.env },
    });
    let stderr = '';
    this.child.stdin.on('error', () => undefined);
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    this.ended = once(this.child, 'close').then(([code, signal]) => {
      this.#over = true;
      this.#wake();
      return { code, signal, stdout: this.#stdout, stderr };
    });
    onTestFinished(async () => {
      this.child.kill('SIGKILL');
      await this.ended;
    });
  }

  /** Says hello and gives the task. */
  begin(prompt = 'Plan the project', hooks?: object): this {
    return this.initialize(hooks).say(prompt);
  }

  initialize(hooks?: object): this {
    return this.send(request('init-1', { subtype: 'initialize', ...(hooks ? { hooks } : {}) }));
  }

  say(content: string): this {
    return this.send({ type: 'user', message: { role: 'user', content } });
  }

  respond(to: Message, response: object): this {
    const success = { subtype: 'success', request_id: to.request_id, response };
    return this.send({ type: 'control_response', response: success });
  }

  allow(to: Message, answers: Message): this {
    return this.respond(to, { behavior: 'allow', updatedInput: { ...to.request.input, answers } });
  }

  send(message: object): this {
    return this.write(`${JSON.stringify(message)}\n`);
  }

  write(text: string): this {
    this.child.stdin.write(text);
    return this;
  }

  close(): Promise<Ended> {
    this.child.stdin.end();
    return this.ended;
  }

  /** The next matching message; skips those before it. */
  async until(...wanted: string[]): Promise<Message> {
    for (;;) {
      for (let message = this.#next(); message; message = this.#next()) {
        if (wanted.includes(nameOf(message))) return message;
      }
      if (this.#over)
        throw new Error(`It ended without ${wanted}: ${JSON.stringify(this.messages.map(nameOf))}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #next(): Message | undefined {
    const message = this.messages[this.#position];
    if (message) this.#position += 1;
    return message;
  }

  /** What came so far, by name. */
  get names(): string[] {
    return this.messages.map(nameOf);
  }

  #read(text: string): void {
    this.#stdout += text;
    if (!text.includes('\n')) {
      this.#rest += text;
      return;
    }
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    this.messages.push(...lines.map(parsed));
    this.#wake();
  }
}

export const request = (id: string, content: object) => ({
  type: 'control_request',
  request_id: id,
  request: content,
});

/** `assistant/text`, `control_request/can_use_tool`, `result/success` and the like. */
function nameOf(message: Message): string {
  const block = Array.isArray(message.message?.content) ? message.message.content[0]?.type : undefined;
  const more = message.subtype ?? message.request?.subtype ?? message.response?.subtype ?? block;
  return more === undefined ? String(message.type) : `${message.type}/${more}`;
}

export const toolResult = (message: Message): string => message.message.content[0].content;

function parsed(line: string): Message {
  try {
    return JSON.parse(line);
  } catch {
    return { type: 'raw', subtype: line.slice(0, 100) };
  }
}
