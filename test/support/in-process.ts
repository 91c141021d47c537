import { EventEmitter } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { loadProgram } from './loaded-program.ts';

export interface Call {
  args: string[];
  /** The name under which it is called. */
  name: string;
  cwd: string;
  env: Record<string, string | undefined>;
  input: string;
}

/** The environment of the tests while a command has replaced it with its own. */
let ownEnvironment: NodeJS.ProcessEnv | undefined;

export const testEnvironment = (): NodeJS.ProcessEnv => ownEnvironment ?? process.env;

/** The folder and the environment belong to one command at a time. */
export const isTaken = (): boolean => ownEnvironment !== undefined;

/** Runs the built program in this process: replaces its folder and environment, and captures its streams. */
export async function runInProcess({ args, name, cwd, env, input }: Call) {
  const giveBack = exchange(cwd, env);
  const stage = new Stage(args, input);
  let isOver = false;
  const ended = loadProgram(stage.process)(args, { name }).finally(() => {
    isOver = true;
    stage.events.emit('exit');
    stage.stdin.destroy();
    giveBack();
  });
  onTestFinished(async () => {
    if (isOver) return;
    stage.events.emit('SIGTERM');
    await ended.catch(() => undefined);
  });
  const code = await ended;
  return { code, stdout: stage.stdout.text, stderr: stage.stderr.text };
}

function exchange(cwd: string, env: Call['env']): () => void {
  const before = { folder: process.cwd(), env: { ...process.env } };
  ownEnvironment = before.env;
  setEnvironment(env);
  process.chdir(cwd);
  return () => {
    process.chdir(before.folder);
    setEnvironment(before.env);
    ownEnvironment = undefined;
  };
}

function setEnvironment(env: Call['env']): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
}

/** The process as a command sees it: Node's own, except for the streams, the signals and the exit code. */
class Stage {
  readonly events = new EventEmitter();
  readonly stdin = Object.assign(new PassThrough(), { ref: () => undefined, unref: () => undefined });
  readonly stdout = new Caught();
  readonly stderr = new Caught();
  readonly process: NodeJS.Process;

  constructor(args: string[], input: string) {
    this.stdin.end(input);
    const { events, stdin, stdout, stderr } = this;
    const own: Record<PropertyKey, unknown> = {
      argv: [...process.argv.slice(0, 1), 'fermata', ...args],
      stdin,
      stdout,
      stderr,
      exitCode: undefined,
      exit: () => {
        throw new Error('The program ends its process. Use spawnFermata in this test.');
      },
    };
    for (const name of Object.keys(EventEmitter.prototype)) {
      const method = Reflect.get(events, name);
      if (typeof method === 'function') own[name] = method.bind(events);
    }
    this.process = new Proxy(process, {
      get: (target, key) => (key in own ? own[key] : Reflect.get(target, key, target)),
      set: (_, key, value) => {
        own[key] = value;
        return true;
      },
    });
  }
}

class Caught extends Writable {
  text = '';
  readonly #decoder = new TextDecoder();

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += this.#decoder.decode(chunk, { stream: true });
    done();
  }
}
