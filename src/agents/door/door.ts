import { createHash, timingSafeEqual } from 'node:crypto';
import { delimiter } from 'node:path';
import { newSecret } from '../../ledger/ids.ts';
import { listen } from './listen.ts';
import { Visits } from './visits.ts';

/** Which agent was started, and for what: this is what a token proves. */
export interface PassClaims {
  projectId: string;
  agent: string;
  /** Its worktree. Commands run here and read no file outside it. */
  cwd: string;
  runId?: string;
  /** The life in which it asks: see docs/decisions/0022. */
  life?: string;
  /** On whose behalf its commands ask if it holds no task. */
  asks?: { source: string; sourceId: string };
  /** The task that it holds, with the fence of the claim. */
  task?: { id: string; fence: number };
}

/** The right of one agent to use the door, from its start to its end. */
export interface Pass {
  /** What the agent's process needs in its environment. */
  env: Record<string, string>;
  /** The folder that has the socket and our commands. */
  folder: string;
  /** Invalidates the token and ends commands that still run. */
  revoke(): Promise<void>;
}

/**
 * An agent's only way to the ledger: it sends its commands through a socket of its own, and we run them here under the
 * identity recorded at its start.
 */
export class Door {
  readonly #env: NodeJS.ProcessEnv;

  /** `env` is for the commands and says where the ledger is. */
  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  async admit(claims: PassClaims, path: string | undefined): Promise<Pass> {
    const token = newSecret();
    const key = hash(token);
    const isToken = (given: string) => timingSafeEqual(hash(given), key);
    const visits = new Visits({ cwd: claims.cwd, env: this.#trusted(claims), isToken });
    const { address, commands, folder, close } = await listen((socket) => visits.serve(socket));
    return {
      env: {
        FERMATA_DOOR: address,
        FERMATA_PASS: token,
        PATH: [commands, path].filter(Boolean).join(delimiter),
        ...forInformation(claims),
      },
      folder,
      revoke: async () => {
        close();
        await visits.end();
      },
    };
  }

  /** Contains nothing that an agent claims about itself. */
  #trusted({ projectId, agent, cwd, runId, life, asks, task }: PassClaims): NodeJS.ProcessEnv {
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

/** Says on whose behalf this process acts and how people answer it; an agent's commands must not inherit it. */
const spoken =
  /^(?:FERMATA_(?:AGENT|TASK|TASK_DIR|FENCE|LIFE|ASKS|PHASE|RUN|DOOR|PASS|CONFINED_TO|PROJECT|TRUST|QA_\w+)|DEBUSSY_QA_\w+)$/;

function forInformation({ runId, task }: PassClaims): Record<string, string> {
  return { ...(runId ? { FERMATA_RUN: runId } : {}), ...(task ? { FERMATA_TASK: task.id } : {}) };
}

const hash = (token: string) => createHash('sha256').update(token).digest();
