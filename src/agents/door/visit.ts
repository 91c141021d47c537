import { statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { isAbsolute, relative, sep } from 'node:path';
import * as z from 'zod';
import { realPath } from '../../files/real-path.ts';
import { AgentProcess } from '../process/agent-process.ts';
import { ownProgram } from '../process/own-program.ts';
import { type Frame, FrameReader, frame, frameKinds, TooLarge } from './frames.ts';

/** An agent with a pass. */
export interface Visitor {
  cwd: string;
  /** The environment of its commands. */
  env: NodeJS.ProcessEnv;
  /** How to end each command that runs for the visitor. */
  commands: Set<() => Promise<unknown>>;
}

const Hello = z.object({
  token: z.string().max(200),
  words: z.array(z.string()).max(10_000),
  cwd: z.string().max(10_000),
});

const MAX_COMMANDS = 32;
const MAX_UNIDENTIFIED = 64;
const INTRODUCTION_MS = 10_000;
const GRACE_MS = 2000;

/** Connections that have not sent a token yet. */
const unidentified = new Set<Socket>();

/** Serves one connection: the client sends its token, then we run one command for it. */
export function visit(socket: Socket, recognize: (token: string) => Visitor | undefined): void {
  socket.on('error', () => undefined); // the other side is gone; `close` follows
  if (unidentified.size >= MAX_UNIDENTIFIED) {
    refuse(socket, 'Too many connections. Try again later.');
    return;
  }
  unidentified.add(socket);
  const timer = setTimeout(() => socket.destroy(), INTRODUCTION_MS);
  const introduced = () => {
    clearTimeout(timer);
    unidentified.delete(socket);
  };
  socket.once('close', introduced);
  const reader = new FrameReader();
  let command: Command | undefined;
  socket.on('data', (piece) => {
    try {
      for (const each of reader.push(piece)) {
        if (command) command.take(each);
        else command = begin(socket, each, recognize);
        if (!command) return;
        introduced();
      }
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      refuse(socket, 'This command is too long. Shorten it.');
    }
  });
}

/** Sends one sentence and closes the connection. */
function refuse(socket: Socket, sentence: string): void {
  socket.removeAllListeners('data').resume();
  if (socket.writableEnded) return;
  socket.write(frame(frameKinds.stderr, `fermata: ${sentence}\n`));
  socket.end(frame(frameKinds.exit, '1'));
}

function begin(
  socket: Socket,
  { kind, content }: Frame,
  recognize: (token: string) => Visitor | undefined,
): Command | undefined {
  const hello = kind === frameKinds.hello ? readHello(content) : undefined;
  const visitor = hello && recognize(hello.token);
  if (!hello || !visitor) {
    refuse(socket, 'FERMATA_PASS is not valid. Its agent has ended, or it is forged.');
    return undefined;
  }
  if (visitor.commands.size >= MAX_COMMANDS) {
    refuse(socket, `You are already running ${MAX_COMMANDS} commands. Wait until one of them ends.`);
    return undefined;
  }
  return new Command(socket, visitor, hello);
}

function readHello(content: Buffer): z.infer<typeof Hello> | undefined {
  try {
    return Hello.safeParse(JSON.parse(content.toString('utf8'))).data;
  } catch {
    return undefined; // not JSON, so not one of our agents
  }
}

/** A Fermata command that runs for an agent. It is on a leash like an agent, so it never outlives this process. */
class Command {
  readonly #running: AgentProcess;
  readonly #socket: Socket;

  constructor(socket: Socket, visitor: Visitor, { words, cwd }: z.infer<typeof Hello>) {
    this.#socket = socket;
    this.#running = new AgentProcess({
      program: process.execPath,
      args: [ownProgram('fermata.cjs'), ...words],
      cwd: folderOf(visitor, cwd),
      env: visitor.env,
    });
    const stop = () => this.#running.stop('SIGTERM', GRACE_MS);
    visitor.commands.add(stop);
    socket.once('close', stop);
    void this.#running.unattended.then(stop);
    this.#pass(this.#running.stdout, frameKinds.stdout);
    this.#pass(this.#running.stderr, frameKinds.stderr);
    void this.#running.ended.then(({ code }) => {
      visitor.commands.delete(stop);
      socket.off('close', stop);
      if (!socket.destroyed) socket.end(frame(frameKinds.exit, String(code ?? 1)));
    });
  }

  take({ kind, content }: Frame): void {
    if (kind === frameKinds.input) this.#running.write(content, this.#socket);
    else if (kind === frameKinds.inputEnd) this.#running.endInput();
    else if (kind === frameKinds.signal)
      void this.#running.stop(content.toString('latin1') === 'SIGINT' ? 'SIGINT' : 'SIGTERM');
  }

  /** If the reader is slow, the command is slowed down instead of filling our memory. */
  #pass(from: NodeJS.ReadableStream, kind: string): void {
    from.on('data', (chunk: Buffer) => {
      if (this.#socket.destroyed || this.#socket.write(frame(kind, chunk))) return;
      from.pause();
      this.#socket.once('drain', () => from.resume());
    });
    this.#socket.once('close', () => from.resume());
  }
}

/** The agent's folder if it is in its worktree. In a container the folder may have another path. */
function folderOf(visitor: Visitor, cwd: string): string {
  try {
    const way = relative(realPath(visitor.cwd), realPath(cwd));
    const isInside = way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
    return isInside && statSync(cwd).isDirectory() ? realPath(cwd) : visitor.cwd;
  } catch {
    return visitor.cwd; // it does not exist on our side
  }
}
