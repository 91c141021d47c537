import { existsSync } from 'node:fs';
import type { Begun } from '../app/begun.ts';
import type { Context } from '../app/context.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { redactor } from '../ledger/redact/redact.ts';
import type { By } from '../schema/actor.ts';
import { FermataError } from '../schema/error.ts';
import type { PlanRunResult, PlanRunView } from '../schema/plan-run.ts';

/** What the hub's agents need to reach the ledger. */
export interface RunEnvironment {
  /** The store as it is opened, with its password. */
  store: string;
  env: Record<string, string | undefined>;
}

/** What is worked on: a plan; `path` distinguishes a run from a review of one of its phases. */
export interface WorkPlace {
  projectId: string;
  plan: string;
  path: string;
}

/** Checks everything that could prevent the work, then begins it. */
export type Begin = (
  context: Context,
  signal: AbortSignal,
) => Promise<Begun<{ result: PlanRunResult; problem?: string }>>;

interface Running {
  stop: AbortController;
  ended: Promise<unknown>;
}

/** The work of this hub's agents. It outlives the request that started it and ends with the hub. */
export class HubWork {
  readonly #ledger: Ledger;
  readonly #environment: RunEnvironment | undefined;
  readonly #report: (error: unknown) => void;
  readonly #running = new Map<string, Running>();
  readonly #last = new Map<string, Pick<PlanRunView, 'result' | 'error'>>();
  #isStopped = false;

  constructor(ledger: Ledger, environment: RunEnvironment | undefined, report: (error: unknown) => void) {
    this.#ledger = ledger;
    this.#environment = environment;
    this.#report = report;
  }

  /** Begins the work, then lets it continue in the background. */
  async start(at: WorkPlace, by: By, begin: Begin): Promise<PlanRunView> {
    if (this.#isStopped) throw new FermataError('unavailable', 'The hub is stopping. Try again later.');
    const key = keyOf(at);
    if (this.#running.has(key))
      throw new FermataError(
        'conflict',
        `The hub is already running this for ${at.plan}. Wait until that run ends, or stop it first.`,
      );
    const stop = new AbortController();
    const begun = this.#contextFor(at.projectId, by).then((context) => begin(context, stop.signal));
    this.#running.set(key, { stop, ended: this.#follow(key, begun, stop.signal) });
    await begun;
    return this.view(at);
  }

  isAtWork(at: WorkPlace): boolean {
    return this.#running.has(keyOf(at));
  }

  /** Whether the project has a folder on this machine. */
  async hasFolder(projectId: string): Promise<boolean> {
    const { root } = await this.#ledger.projects.get(projectId);
    return root !== null && existsSync(root);
  }

  view(at: WorkPlace): PlanRunView {
    const key = keyOf(at);
    const last = this.#last.get(key) ?? { result: null, error: null };
    return { plan: at.plan, running: this.#running.has(key), ...last };
  }

  /** Stops the work cleanly; the next start resumes it. */
  async end(at: WorkPlace): Promise<PlanRunView> {
    const running = this.#running.get(keyOf(at));
    running?.stop.abort('interrupted');
    await running?.ended;
    return this.view(at);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    while (this.#running.size > 0) {
      const running = [...this.#running.values()];
      for (const { stop } of running) stop.abort('interrupted');
      await Promise.all(running.map(({ ended }) => ended));
    }
  }

  async #contextFor(projectId: string, by: By): Promise<Context> {
    if (!this.#environment)
      throw new FermataError(
        'forbidden',
        'This hub does not start agents. Use "fermata serve", or run the command in a terminal.',
      );
    const { openTrustedContext } = await import('../app/trusted-context.ts');
    const project = await this.#ledger.projects.get(projectId);
    if (project.root === null)
      throw new FermataError('not_found', "This project has no folder on the hub's machine.");
    // Drops FERMATA_TRUST, because whoever set the hub's environment did not see what this work would trust.
    const { FERMATA_TRUST: _, ...env } = this.#environment.env;
    const { store } = this.#environment;
    const ask = { stays: () => true };
    const where = { cwd: project.root, env, store, project: projectId, name: by.actor.name, ask };
    const opened = await openTrustedContext(this.#ledger, where, {});
    return { ...opened, who: by, project: async () => project, isShared: true };
  }

  async #follow(key: string, begun: ReturnType<Begin>, signal: AbortSignal): Promise<void> {
    try {
      const work = await begun.catch(() => undefined); // the caller gets the error
      if (!work) return;
      this.#last.delete(key);
      const { result, problem } = await work.carryOut();
      this.#last.set(key, { result, error: problem === undefined ? null : this.#redacted(problem) });
    } catch (error) {
      const isTold = error instanceof FermataError;
      const result = signal.aborted ? 'interrupted' : 'failed';
      this.#last.set(key, { result, error: isTold ? this.#redacted(error.message) : INSIDE });
      if (!isTold) this.#report(error);
    } finally {
      this.#running.delete(key);
    }
  }

  #redacted(text: string): string {
    return redactor(this.#environment?.env ?? {})(text);
  }
}

const INSIDE = "It failed inside the hub. See the hub's terminal for details.";

const keyOf = ({ projectId, plan, path }: WorkPlace) => JSON.stringify([projectId, plan, path]);
