import type { RunReport } from '../app/run-plan/run-report.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { By } from '../schema/actor.ts';
import { FermataError } from '../schema/error.ts';
import type { PlanRunInput, PlanRunView } from '../schema/plan-run.ts';

/** What the hub's agents need to reach the ledger. */
export interface RunEnvironment {
  /** The store as it is opened, with its password. */
  store: string;
  env: Record<string, string | undefined>;
}

interface Running {
  stop: AbortController;
  ended: Promise<unknown>;
}

/** The plans that this hub runs. Each run outlives the request that started it, and ends with the hub. */
export class PlanRuns {
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

  /** Checks everything that could refuse the run, then lets it go on by itself. */
  async start(projectId: string, plan: string, options: PlanRunInput, by: By): Promise<PlanRunView> {
    const key = keyOf(projectId, plan);
    if (this.#isStopped)
      throw new FermataError('unavailable', 'The hub is stopping. Start the run again later.');
    if (this.#running.has(key)) throw new FermataError('conflict', `This hub already runs ${plan}.`);
    const stop = new AbortController();
    const begun = this.#begin(projectId, plan, { ...options, signal: stop.signal }, by);
    this.#running.set(key, { stop, ended: this.#follow(key, begun) });
    await begun;
    return this.view(projectId, plan);
  }

  view(projectId: string, plan: string): PlanRunView {
    const key = keyOf(projectId, plan);
    const last = this.#last.get(key) ?? { result: null, error: null };
    return { plan, running: this.#running.has(key), ...last };
  }

  /** Stops a run cleanly; the next one resumes it. */
  async end(projectId: string, plan: string): Promise<PlanRunView> {
    const running = this.#running.get(keyOf(projectId, plan));
    running?.stop.abort('interrupted');
    await running?.ended;
    return this.view(projectId, plan);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    while (this.#running.size > 0) {
      const running = [...this.#running.values()];
      for (const { stop } of running) stop.abort('interrupted');
      await Promise.all(running.map(({ ended }) => ended));
    }
  }

  async #begin(projectId: string, plan: string, options: PlanRunInput & { signal: AbortSignal }, by: By) {
    if (!this.#environment)
      throw new FermataError(
        'forbidden',
        'This hub does not run plans. Use "fermata serve", or run the plan in a terminal.',
      );
    const { store, env } = this.#environment;
    const [{ planFolder }, { openTrustedContext }, { beginRun }] = await Promise.all([
      import('./plan-folders.ts'),
      import('../app/trusted-context.ts'),
      import('../app/run-plan/run-plan.ts'),
    ]);
    const project = await this.#ledger.projects.get(projectId);
    if (project.root === null)
      throw new FermataError('not_found', 'This project has no folder on the machine of the hub.');
    const folder = planFolder(project.root, plan);
    // Whoever set the hub's environment did not see what this run would trust.
    const trust = { neverInAdvance: true };
    const ask = { stays: () => true };
    const where = { cwd: project.root, env, store, project: projectId, name: by.actor.name, ask };
    const opened = await openTrustedContext(this.#ledger, where, trust);
    const context = { ...opened, who: by, project: async () => project, isShared: true };
    return (await beginRun(context, folder, { ...options, ...trust })).carryOut;
  }

  async #follow(key: string, begun: Promise<() => Promise<RunReport>>): Promise<void> {
    try {
      const carryOut = await begun.catch(() => undefined); // the caller is told why
      if (!carryOut) return;
      this.#last.delete(key);
      const { result } = await carryOut();
      this.#last.set(key, { result, error: null });
    } catch (error) {
      this.#last.set(key, {
        result: 'failed',
        error: error instanceof FermataError ? error.message : INSIDE,
      });
      this.#report(error);
    } finally {
      this.#running.delete(key);
    }
  }
}

const INSIDE = "The run failed inside the hub. See the hub's terminal for details.";

const keyOf = (projectId: string, plan: string) => JSON.stringify([projectId, plan]);
