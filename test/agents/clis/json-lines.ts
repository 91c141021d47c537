import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { signalGroup } from '../../../src/agents/process/agent-process.ts';
import type { CliHome } from '../../support/model/cli-home.ts';

/** A message of a CLI; each test knows what it expects in it. */
// biome-ignore lint/suspicious/noExplicitAny: the tests look deep into messages of which they know the shape
type Message = Record<string, any>;

export interface JsonLines {
  send(message: Message): void;
  /** The first matching message, past or future; throws if the CLI ends without one. */
  message(fits: (message: Message) => boolean): Promise<Message>;
  /** Everything so far. */
  messages: readonly Message[];
  /** Sends it a signal and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<{ code: number | null; signal: string | null }>;
  /** Closes stdin and waits for the end. */
  end(): Promise<{ code: number | null; signal: string | null }>;
}

/**
 * A program that speaks one JSON object per line, both ways. It is deliberately simple: it proves that the CLI and the scripted model work together, without Fermata between them. Its whole process group is killed
 * after the test.
 */
export function startJsonLines(path: string, args: string[], { cwd, env }: CliHome): JsonLines {
  const child = spawn(path, args, { cwd, env, detached: true });
  child.stdin.on('error', () => undefined); // it may have ended
  const messages: Message[] = [];
  const look = new Set<() => void>();
  let stderr = '';
  let rest = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    messages.push(...lines.map((line) => JSON.parse(line) as Message));
    for (const each of look) each();
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  onTestFinished(async () => {
    if (child.pid) signalGroup(child.pid, 'SIGKILL');
    await ended;
  });
  const message = (fits: (message: Message) => boolean) =>
    new Promise<Message>((resolve, reject) => {
      const check = () => {
        const found = messages.find(fits);
        if (found === undefined) return;
        look.delete(check);
        resolve(found);
      };
      look.add(check);
      check();
      void ended.then((end) =>
        reject(new Error(`It ended (${JSON.stringify(end)}) after ${JSON.stringify(messages)} ${stderr}`)),
      );
    });
  return {
    send: (each) => child.stdin.write(`${JSON.stringify(each)}\n`),
    message,
    kill: (signal) => {
      child.kill(signal);
      return ended;
    },
    messages,
    end() {
      child.stdin.end();
      return ended;
    },
  };
}
