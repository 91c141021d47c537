import { closeSync, constants, openSync } from 'node:fs';
import type { ReadStream } from 'node:tty';
import { type IPty, spawn } from '@lydell/node-pty';
import { onTestFinished } from 'vitest';
import { BIN, environment, freshFolder, type Options } from './fermata.ts';

/** The built program in a real pseudo-terminal, as a person has it. */
export interface Terminal {
  /** Waits until the screen (without colours) shows it after the previous match. */
  shows(pattern: RegExp): Promise<RegExpMatchArray>;
  type(text: string): void;
  /** Everything shown so far, without colours. */
  screen(): string;
  /** Closes the window: nothing can be read or shown any more. */
  hangUp(): void;
  ended: Promise<number>;
  pid: number;
}

export const CTRL_C = '\x03';
export const CTRL_D = '\x04';

export const inTerminal = (args: string[], options: Options = {}) => nodeInTerminal([BIN, ...args], options);

/** Any Node program in such a terminal. */
export const nodeInTerminal = (args: string[], options: Options = {}) =>
  programInTerminal(process.execPath, args, { ...options, env: environment(options.env) });

/** Any program in such a terminal, with exactly this environment. */
export function programInTerminal(program: string, args: string[], options: Options): Terminal {
  const pty = spawn(program, args, {
    cwd: options.cwd ?? freshFolder(),
    env: definedOnly({ ...options.env, NO_COLOR: '1', TERM: 'xterm' }),
    cols: options.columns ?? 120,
    rows: 40,
  });
  let text = '';
  let seen = 0;
  const look = new Set<() => void>();
  const ended = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode, signal }) => resolve(signal ? 128 + signal : exitCode));
  });
  pty.onData((data) => {
    text += data;
    for (const each of look) each();
  });
  const closeNow = keepUntilRead(pty);
  onTestFinished(() => endTerminal(pty, ended));
  const screen = () => stripped(text);
  const shows = (pattern: RegExp) =>
    new Promise<RegExpMatchArray>((resolve, reject) => {
      const check = () => {
        const match = screen().slice(seen).match(pattern);
        if (!match) return;
        look.delete(check);
        seen += (match.index ?? 0) + match[0].length;
        resolve(match);
      };
      look.add(check);
      void ended.then(() => {
        check();
        reject(new Error(`It ended without showing ${pattern}:\n${screen()}`));
      });
      check();
    });
  const hangUp = () => {
    closeNow();
    pty.kill('SIGHUP');
  };
  return { shows, type: (keys) => pty.write(keys), screen, hangUp, ended, pid: pty.pid };
}

/**
 * Node drops what it has not read when the last program closes a terminal, and the package closes it 200 ms after its
 * program ended. Both happen on a busy machine, so this keeps it open until nothing more arrives. Returns what closes it
 * nevertheless.
 */
function keepUntilRead(pty: IPty): () => void {
  const { _socket: socket, ptsName } = pty as unknown as { _socket: ReadStream; ptsName: string };
  const kept = openSync(ptsName, constants.O_RDWR | constants.O_NOCTTY);
  const destroy = socket.destroy.bind(socket);
  socket.once('close', () => closeSync(kept));
  let readAt = 0;
  pty.onData(() => (readAt = performance.now()));
  const closeIfRead = () => {
    if (performance.now() - readAt < QUIET_MS) setTimeout(closeIfRead, QUIET_MS);
    else destroy();
  };
  socket.destroy = () => {
    setImmediate(closeIfRead); // after whatever can be read now
    return socket;
  };
  return destroy;
}

const QUIET_MS = 200;

async function endTerminal(pty: IPty, ended: Promise<number>): Promise<void> {
  pty.kill('SIGKILL');
  await ended;
}

const sequences = new RegExp(`${String.fromCharCode(27)}(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\u0007]*\\u0007)`, 'g');
const stripped = (text: string) => text.replace(sequences, '').replace(/\r/g, '');

function definedOnly(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])));
}
