import { createHash, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { delimiter } from 'node:path';
import { listen, type OpenDoor } from './listen.ts';
import { type Visitor, visit } from './visit.ts';

/** Who was sent out, and what for: this is what a token proves. */
export interface SentOut {
  projectId: string;
  agent: string;
  /** Its worktree: commands run here, and read no file outside. */
  cwd: string;
  runId?: string;
  /** In which of its lives it asks: see docs/decisions/0022. */
  life?: string;
  /** For whom its commands ask where it holds no task. */
  asks?: { source: string; sourceId: string };
  /** The task that it holds, under the number of the claim. */
  task?: { id: string; fence: number };
}

/** The right of one agent to use the door, from when it is sent out until it has ended. */
export interface Pass {
  /** What the agent's process needs in its environment. */
  env: Record<string, string>;
  /** The folder that has the socket and our commands. */
  folder: string;
  /** Invalidates the token and ends commands that still run. */
  revoke(): Promise<void>;
}

/**
 * The only way of an agent to the ledger: its commands are sent through a socket, and run here, under the identity that
 * was recorded when it was sent out. It is open while somebody has a pass.
 */
export class Door {
  readonly #env: NodeJS.ProcessEnv;
  readonly #visitors = new Map<string, Visitor>();
  #opened: Promise<OpenDoor> | undefined;

  /** `env`: for the commands, with the place of the ledger. */
  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  async admit(sentOut: SentOut, path: string | undefined): Promise<Pass> {
    this.#opened ??= listen((socket) => this.#serve(socket));
    const opened = this.#opened;
    const token = randomBytes(32).toString('base64url');
    const key = hash(token);
    const visitor: Visitor = { cwd: sentOut.cwd, env: this.#trusted(sentOut), commands: new Set() };
    this.#visitors.set(key, visitor);
    const { address, commands, folder } = await opened;
    return {
      env: {
        FERMATA_DOOR: address,
        FERMATA_PASS: token,
        PATH: [commands, path].filter(Boolean).join(delimiter),
        ...forInformation(sentOut),
      },
      folder,
      revoke: async () => {
        this.#visitors.delete(key);
        if (this.#visitors.size === 0 && this.#opened === opened) {
          this.#opened = undefined;
          (await opened).close();
        }
        await Promise.all([...visitor.commands].map((stop) => stop()));
      },
    };
  }

  #serve(socket: Socket): void {
    visit(socket, (token) => this.#visitors.get(hash(token)));
  }

  /** Nothing of what an agent says about itself is in it. */
  #trusted({ projectId, agent, cwd, runId, life, asks, task }: SentOut): NodeJS.ProcessEnv {
    const others = Object.entries(this.#env).filter(([name]) => !spoken.test(name));
    return {
      ...Object.fromEntries(others),
      FERMATA_PROJECT: projectId,
      FERMATA_AGENT: agent,
      FERMATA_CONFINED_TO: cwd,
      ...(runId ? { FERMATA_RUN: runId } : {}),
      ...(life ? { FERMATA_LIFE: life } : {}),
      ...(asks ? { FERMATA_ASKS: JSON.stringify(asks) } : {}),
      ...(task ? { FERMATA_TASK: task.id, FERMATA_FENCE: String(task.fence) } : {}),
    };
  }
}

/** What this process may itself have been told about who acts, and over which channel people answer it. */
const spoken =
  /^(?:FERMATA_(?:AGENT|TASK|TASK_DIR|FENCE|LIFE|ASKS|PHASE|RUN|DOOR|PASS|CONFINED_TO|PROJECT|TRUST|QA_\w+)|DEBUSSY_QA_\w+)$/;

function forInformation({ runId, task }: SentOut): Record<string, string> {
  return { ...(runId ? { FERMATA_RUN: runId } : {}), ...(task ? { FERMATA_TASK: task.id } : {}) };
}

const hash = (token: string) => createHash('sha256').update(token).digest('hex');
