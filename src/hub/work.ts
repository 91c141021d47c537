import { existsSync } from 'node:fs';
import { homeId } from '../agents/run/lease.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { By } from '../schema/actor.ts';
import { FermataError } from '../schema/error.ts';
import type { StartInput } from '../schema/work.ts';
import type { Context } from '../work/context.ts';
import { hereIn } from '../work/worker/here.ts';
import type { Wanted } from '../work/worker/prepare-here.ts';
import { planFolder } from './plan-folders.ts';

/** What the hub's agents need to reach the ledger. */
export interface RunEnvironment {
  /** The store as it is opened, with its password. */
  store: string;
  env: Record<string, string | undefined>;
}

interface HubWorkOptions {
  ledger: Ledger;
  /** Without it, this hub starts no agents. */
  environment: RunEnvironment | undefined;
  home: string;
  /** The person in whose name the hub claims tasks. */
  owner: string;
  report(error: unknown): void;
}

/** How many tasks a hub works on at once. */
const SLOTS = 4;

/**
 * The worker in the hub, for projects that have a folder on this machine. What it works on is in the ledger, so a hub that was
 * killed continues when it starts again.
 */
export class HubWork {
  /** Only this hub has this ability. */
  readonly here: string;
  readonly #options: HubWorkOptions;
  readonly #stop = new AbortController();
  #working: Promise<void> | undefined;

  constructor(options: HubWorkOptions) {
    this.#options = options;
    this.here = hereIn(homeId(options.home));
  }

  /** Whether the project has a folder on this machine. */
  async hasFolder(projectId: string): Promise<boolean> {
    const { root } = await this.#options.ledger.projects.get(projectId);
    return root !== null && existsSync(root);
  }

  /** Checks everything that could prevent the work; the result has it done in the background. */
  async prepare(
    { projectId, ...wanted }: Wanted & { projectId: string },
    input: StartInput,
    by: By,
  ): Promise<(taskId: string) => Promise<void>> {
    if (this.#stop.signal.aborted)
      throw new FermataError('unavailable', 'The hub is stopping. Try again later.');
    const context = await this.#contextFor(projectId, by);
    const { prepareHere } = await import('../work/worker/prepare-here.ts');
    const begin = await prepareHere(context, wanted, input, this.here);
    return async (taskId) => {
      await begin(taskId);
      this.#work();
    };
  }

  /** The plan and the branch of a phase, in the project's folder. */
  async reviewed(projectId: string, taskId: string, by: By): Promise<{ plan: string; branch: string }> {
    const context = await this.#contextFor(projectId, by);
    const { reviewedWorktree } = await import('../work/worker/queue-review.ts');
    const [plan = '', number = ''] = taskId.split('/');
    const { worktree } = await reviewedWorktree(context, planFolder(context.cwd, plan), number);
    return { plan: worktree.plan, branch: worktree.branch };
  }

  /** Continues what was begun here before. */
  async resume(): Promise<void> {
    const { ledger, environment, report } = this.#options;
    if (!environment) return;
    try {
      if (await ledger.queue.isWanted([this.here])) this.#work();
    } catch (error) {
      report(error);
    }
  }

  /** Agents save their sessions, and their tasks are released. */
  async stop(): Promise<void> {
    this.#stop.abort('interrupted');
    await this.#working;
  }

  #work(): void {
    this.#working ??= this.#runWorker()
      .catch(this.#options.report)
      .finally(() => {
        this.#working = undefined;
      });
  }

  async #runWorker(): Promise<void> {
    const { ledger, environment, home, owner } = this.#options;
    if (!environment) return;
    const { runWorker } = await import('../work/worker/worker.ts');
    const { loadSettings } = await import('../config/settings.ts');
    const env = { ...withoutTrust(environment), FERMATA_HOME: home };
    const settings = loadSettings(home, env, { store: environment.store });
    const who: By = { actor: { kind: 'person', name: owner }, channel: 'rest' };
    const parts = { ledger, settings, env, who, report: () => undefined };
    const worker = { name: 'hub', version: '', slots: SLOTS, abilities: [this.here], projects: null };
    await runWorker(parts, { ...worker, signal: this.#stop.signal });
  }

  async #contextFor(projectId: string, by: By): Promise<Context> {
    const { ledger, environment } = this.#options;
    if (!environment)
      throw new FermataError(
        'forbidden',
        'This hub does not start agents. Use "fermata serve", or run the command in a terminal.',
      );
    const { openTrustedContext } = await import('../work/trust/trusted-context.ts');
    const project = await ledger.projects.get(projectId);
    if (project.root === null)
      throw new FermataError('not_found', "This project has no folder on the hub's machine.");
    const where = {
      cwd: project.root,
      env: withoutTrust(environment),
      store: environment.store,
      project: projectId,
      name: by.actor.name,
    };
    const opened = await openTrustedContext(ledger, where, {});
    return { ...opened, who: by, project: async () => project, isShared: true };
  }
}

/** Whoever set the hub's environment did not see what its work would trust. */
function withoutTrust({ env }: RunEnvironment): RunEnvironment['env'] {
  const { FERMATA_TRUST: _, ...rest } = env;
  return rest;
}
