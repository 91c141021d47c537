import { statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { isAbsolute, relative, sep } from 'node:path';
import * as z from 'zod';
import { realPath } from '../../files/real-path.ts';
import { FermataError } from '../../schema/error.ts';
import { AgentProcess } from '../process/agent-process.ts';
import { ownProgram } from '../process/program.ts';
import { type Frame, FrameReader, frame, frameKinds } from './frames.ts';

/** An agent with a pass. */
export interface Visitor {
  cwd: string;
  /** The environment of its commands. */
  env: NodeJS.ProcessEnv;
  isToken(token: string): boolean;
}

const Greeting = z.object({ token: z.string() });

const MAX_WORDS = 10_000;
const Wanted = z.object({
  words: z.array(z.string().refine((word) => !word.includes('\0'))).max(MAX_WORDS),
  cwd: z.string().max(10_000),
});

/** Connections with the token, until both the connection and its command have ended. */
const MAX_COMMANDS = 32;
/** Connections without it. */
const MAX_STRANGERS = 64;
const INTRODUCTION_MS = 1000;
/** How long a client has to read why it was refused. */
const LAST_WORDS_MS = 1000;
const GRACE_MS = 2000;

/** The connections to one agent's door. Whatever goes wrong in one of them ends only that one, with a sentence. */
export class Visits {
  readonly #visitor: Visitor;
  readonly #strangers = new Set<Socket>();
  readonly #commands = new Set<Command>();

  constructor(visitor: Visitor) {
    this.#visitor = visitor;
  }

  /** Serves one connection: the client sends its token, then we run one command for it. */
  serve(socket: Socket): void {
    socket.on('error', () => undefined); // the other side is gone; `close` follows
    this.#awaitToken(socket);
    const reader = new FrameReader();
    let command: Command | undefined;
    socket.on('data', (piece) => {
      try {
        for (const each of reader.push(piece)) {
          if (command) command.take(each);
          else command = this.#begin(socket, each);
        }
      } catch (error) {
        refuse(socket, (error as Error).message);
      }
    });
  }

  /** Ends all connections and commands. */
  async end(): Promise<void> {
    for (const socket of this.#strangers) socket.destroy();
    await Promise.all([...this.#commands].map((command) => command.stop()));
  }

  /** A new connection replaces the oldest silent one, because our own client sends the token at once. */
  #awaitToken(socket: Socket): void {
    const [oldest] = this.#strangers;
    if (oldest && this.#strangers.size >= MAX_STRANGERS) oldest.destroy();
    this.#strangers.add(socket);
    // If we were busy meanwhile, the token may have arrived, so read it first.
    const giveUp = () => setImmediate(() => this.#strangers.has(socket) && socket.destroy());
    const timer = setTimeout(giveUp, INTRODUCTION_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#strangers.delete(socket);
    });
  }

  #begin(socket: Socket, { kind, content }: Frame): Command {
    const hello = kind === frameKinds.hello ? parsed(content) : undefined;
    const greeting = Greeting.safeParse(hello).data;
    if (!greeting || !this.#visitor.isToken(greeting.token)) {
      const why = 'FERMATA_PASS is not valid. Its agent has ended, or it is forged.';
      throw new FermataError('unauthorized', why);
    }
    const wanted = Wanted.safeParse(hello).data;
    if (!wanted) {
      const why = `A command has at most ${MAX_WORDS} words, without NUL characters. Change it.`;
      throw new FermataError('invalid', why);
    }
    if (this.#commands.size >= MAX_COMMANDS) {
      const why = `You are already running ${MAX_COMMANDS} commands. Wait until one of them ends.`;
      throw new FermataError('busy', why);
    }
    this.#strangers.delete(socket);
    const command = new Command(socket, this.#visitor, wanted);
    this.#commands.add(command);
    void command.over.then(() => this.#commands.delete(command));
    return command;
  }
}

/** Sends one sentence and closes the connection, even if the client does not. */
function refuse(socket: Socket, sentence: string): void {
  socket.removeAllListeners('data').resume();
  if (socket.writableEnded) return;
  socket.write(frame(frameKinds.stderr, `fermata: ${sentence}\n`));
  socket.end(frame(frameKinds.exit, '1'));
  destroyLater(socket);
}

const destroyLater = (socket: Socket) => setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();

function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    return undefined; // not JSON, so not one of our agents
  }
}

/** A Fermata command that runs for an agent. It is on a leash like an agent, so it never outlives this process. */
class Command {
  /** Settles when both the command and its connection have ended. */
  readonly over: Promise<unknown>;
  readonly #running: AgentProcess;
  readonly #socket: Socket;
  #isSignalled = false;

  constructor(socket: Socket, visitor: Visitor, { words, cwd }: z.infer<typeof Wanted>) {
    this.#socket = socket;
    this.#running = new AgentProcess({
      program: process.execPath,
      args: [ownProgram('fermata.cjs'), ...words],
      cwd: folderOf(visitor, cwd),
      env: visitor.env,
    });
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    void closed.then(() => this.#end());
    void this.#running.unattended.then(() => this.#end());
    this.#pass(this.#running.stdout, frameKinds.stdout);
    this.#pass(this.#running.stderr, frameKinds.stderr);
    const ended = this.#running.ended.then(({ code, notStarted }) => {
      if (notStarted !== undefined) refuse(socket, notStarted);
      else if (!socket.destroyed) socket.end(frame(frameKinds.exit, String(code ?? 1)));
    });
    this.over = Promise.all([closed, ended]);
  }

  take({ kind, content }: Frame): void {
    if (kind === frameKinds.input) this.#running.write(content, this.#socket);
    else if (kind === frameKinds.inputEnd) this.#running.endInput();
    else if (kind === frameKinds.signal) this.#signal(content.toString('latin1'));
    else throw new FermataError('invalid', 'The connection is broken. Run the command again.');
  }

  /** Ends the command, and its connection even if the client does not read. */
  async stop(): Promise<void> {
    await this.#end();
    destroyLater(this.#socket);
  }

  #signal(name: string): void {
    if (!this.#isSignalled) void this.#running.stop(name === 'SIGINT' ? name : 'SIGTERM');
    this.#isSignalled = true;
  }

  #end(): Promise<unknown> {
    return this.#running.stop('SIGTERM', GRACE_MS);
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
