import { basename } from 'node:path';
import { isBranchName } from '../../git/refs.ts';
import { isUsableAnywhere, repositoryAt, shownAddress } from '../../git/remote/address.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { By } from '../../schema/actor.ts';
import { isServer } from '../../schema/address.ts';
import { fixedAgentNames } from '../../schema/agent-name.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { AgentOptions } from '../../schema/run.ts';
import type { QueueOrder, StartInput, WorkTask } from '../../schema/work.ts';
import { reviewerForWorkers } from '../agent/reviewer.ts';
import { requireWorkable } from '../kinds/task/require-workable.ts';
import { planWorktree, worktreeOf } from '../kinds/task/worktree-of.ts';
import { tasksWithin } from '../phases/phase-task.ts';
import { isFailedHere } from '../run/faults.ts';
import { needsOf, notAlone } from './place-order.ts';

/** A task in a ledger. */
interface QueuePlace {
  ledger: Ledger;
  by: By;
  projectId: string;
}

/**
 * Leaves a task to workers if the project has no folder here. The worker that takes it does the checks that need the
 * code. A plan whose phases are not known yet is read by a worker first.
 */
export async function startByWorkers(place: QueuePlace, task: WorkTask, input: StartInput): Promise<void> {
  const { agent, model, into, workers = {} } = input;
  const said = { branch: into, ...workers, agent, model };
  const { ledger, projectId, by } = place;
  switch (task.kind) {
    case 'phase':
      throw new FermataError('invalid', `${task.id} is a phase of a plan. Start the plan.`);
    case 'run':
      return placeByLedger(place, await planScope(place, task), said, { own: true });
    case 'task': {
      await requireWorkable(ledger, task);
      const begun = await worktreeOf(ledger, projectId, task.id);
      if (begun) refuseOtherBranch(task.id, begun.featureBranch, said);
      await placeByLedger(place, task.id, said, { begunOn: begun?.featureBranch });
      // Queueing it again is a request to retry.
      if (isFailedHere(task)) await ledger.tasks.unblock(projectId, task.id, by);
      return;
    }
    case 'review': {
      const { reviews } = task.input;
      const { featureBranch } = await planWorktree(ledger, projectId, reviews);
      refuseOtherBranch(reviews, featureBranch, said);
      const reviewed = { ledger, projectId, taskId: reviews };
      const reviewer = await reviewerForWorkers({ env: {}, configured: undefined }, reviewed, said);
      return placeByLedger(place, task.id, { ...said, ...reviewer }, { begunOn: featureBranch });
    }
    case 'feedback':
    case 'prd':
    case 'decompose': {
      if (task.result !== null) throw new FermataError('conflict', `${task.id} is already done.`);
      const begun = fixedAgentNames.find((name) => name === task.input.agent?.agent);
      return placeByLedger(place, task.id, { ...said, agent: begun ?? agent });
    }
    case 'draft':
    case 'convert':
    case 'plan_from_issues':
      return placeByLedger(place, task.id, said);
    case 'analyze':
      throw notAlone(task.id);
    default: {
      const never: never = task;
      throw never;
    }
  }
}

/** The phases of a plan, or the task that reads it while they are not known. */
async function planScope({ ledger, projectId }: Ledgered, task: WorkTask<'run'>): Promise<string> {
  const plan = basename(task.input.plan);
  const within = tasksWithin(plan);
  const { open, in_progress, blocked, closed } = await ledger.tasks.standing(projectId, within);
  if (open + in_progress + blocked > 0) return within;
  if (closed > 0) throw new FermataError('conflict', `All phases of ${plan} are done.`);
  return task.id;
}

/** The branch and the remote that queueing it would use by default. */
export async function usualPlace(place: Ledgered, scope: string) {
  const orders = await place.ledger.queue.list(place.projectId);
  const isPlan = scope.endsWith('/') || scope.startsWith('run:');
  return {
    branch: usualBranch(orders, scope, isPlan) ?? null,
    remote: (await knownRemote(place, orders)) ?? null,
  };
}

/** An agent that continues may have its own program. */
type ByLedger = Partial<AgentOptions> & { [Name in 'branch' | 'remote']?: string | undefined } & {
  needs?: string[] | undefined;
};

interface How {
  /** The branch that the work began on. */
  begunOn?: string | undefined;
  /** It has its own branch, so the branches of other work say nothing about it. */
  own?: boolean;
}

async function placeByLedger(
  place: QueuePlace,
  scope: string,
  { agent = 'claude', agentCommand, model, remote, branch, needs = [] }: ByLedger,
  { begunOn, own = false }: How = {},
): Promise<void> {
  const { ledger, by, projectId } = place;
  const orders = await ledger.queue.list(projectId);
  const wishes = {
    agent,
    ...(model === undefined ? {} : { model }),
    ...(agentCommand === undefined ? {} : { agentCommand }),
  };
  const options = {
    featureBranch: requireBranch(branch ?? begunOn ?? usualBranch(orders, scope, own)),
    remote: await remoteOf(place, orders, remote),
    options: wishes,
  };
  await ledger.queue.place({ projectId, scope, needs: needsOf(wishes, { needs }), options }, by);
}

type Ledgered = Omit<QueuePlace, 'by'>;

const hasOwnBranch: string[] = ['phase', 'run', 'review'];

/** The branch it was last queued for, or that of other work; not that of a plan, which has its own branch. */
function usualBranch(orders: QueueOrder[], scope: string, own: boolean): string | undefined {
  const before = orders.find((order) => order.scope === scope);
  const other = own ? undefined : orders.find(({ work }) => !hasOwnBranch.includes(work.kind));
  return (before ?? other)?.options.featureBranch;
}

function refuseOtherBranch(taskId: string, begun: string, { branch }: Pick<ByLedger, 'branch'>): void {
  if (branch !== undefined && branch !== begun)
    throw new FermataError('invalid', `${taskId} was started for ${begun}. Leave out the branch.`);
}

function requireBranch(chosen: string | undefined): string {
  if (chosen === undefined) throw new FermataError('invalid', 'Name the branch to merge into ("branch").');
  if (!isBranchName(chosen))
    throw new FermataError('invalid', `"${chosen.slice(0, 200)}" is not the name of a branch.`);
  return chosen;
}

/** The remote of what was queued last, or else of a clone that somebody works in. */
async function knownRemote(
  { ledger, projectId }: Ledgered,
  orders: QueueOrder[],
): Promise<string | undefined> {
  const ordered = orders.find(({ options }) => options.remote !== null)?.options.remote;
  const clones = ordered ? [] : await ledger.clones.list(projectId);
  const address = ordered ?? clones.find(({ remote }) => remote !== null)?.remote?.address;
  return address !== undefined && isUsableAnywhere(address) ? address : undefined;
}

async function remoteOf(place: QueuePlace, orders: QueueOrder[], given: string | undefined): Promise<string> {
  const address = given ?? (await knownRemote(place, orders));
  if (address === undefined)
    throw new FermataError('invalid', 'Give an address that workers can clone the project from ("remote").');
  const shown = shownAddress({ address });
  if (isUsableAnywhere(address)) {
    await requireAccepted(place, shown);
    return shown;
  }
  throw new FermataError(
    'invalid',
    `Workers cannot clone from "${shown.slice(0, 200)}". Use an address that begins with https:// or ssh://.`,
  );
}

/** On a shared store, workers clone only from an address that a person has accepted. The first one is accepted by naming it. */
async function requireAccepted({ ledger, projectId, by }: QueuePlace, address: string): Promise<void> {
  if (!isServer(ledger.place)) return;
  const accepted = await ledger.clones.accepted(projectId);
  const repository = repositoryAt(address);
  if (accepted.length === 0) return ledger.clones.accept(projectId, repository, by);
  if (accepted.some((each) => each.address === repository)) return;
  throw new Refusal('unknown_remote', `Nobody has said yet that ${repository} belongs to this project.`, {
    suggestion: `Run "${cmd`project join`}" in a clone of it, or use ${accepted.map((each) => each.address).join(' or ')}.`,
  });
}
