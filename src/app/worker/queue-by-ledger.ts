import { isBranchName } from '../../git/refs.ts';
import { isUsableAnywhere, repositoryAt, shownAddress } from '../../git/remote/address.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { requirePlanName } from '../../plan/plan-folder.ts';
import type { By } from '../../schema/actor.ts';
import { isServer } from '../../schema/address.ts';
import { fixedAgentNames } from '../../schema/agent-name.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { AgentOptions } from '../../schema/run.ts';
import type { AddedWork, QueueInput, QueueOrder, RoleKind } from '../../schema/work.ts';
import { tasksWithin } from '../../work/phases/phase-task.ts';
import { noWorktree } from '../../work/review/review-phase.ts';
import { isFailedHere } from '../../work/run/faults.ts';
import { reviewerForWorkers } from '../reviewer.ts';
import { requireWorkable } from '../work-on-task/require-workable.ts';
import { worktreeOf } from '../work-on-task/worktree-of.ts';
import { needsOf } from './place-order.ts';
import { reviewName, runName, type TaskName } from './task-names.ts';

/** A plan or a task in a ledger. */
export interface QueuePlace {
  ledger: Ledger;
  by: By;
  projectId: string;
}

/**
 * Queues a plan for workers if the project has no folder here. The worker that takes one of its phases does the checks
 * that need the code. If nobody ran or queued the plan before, a worker looks for it first.
 */
export async function queuePlanByLedger(place: QueuePlace, plan: string, input: QueueInput): Promise<void> {
  requirePlanName(plan);
  const { ledger, projectId } = place;
  const scope = tasksWithin(plan);
  const { open, in_progress, blocked, closed } = await ledger.tasks.standing(projectId, scope);
  if (open + in_progress + blocked > 0) return placeByLedger(place, { scope }, input, { own: true });
  if (closed > 0) throw new FermataError('conflict', `All phases of ${plan} are done.`);
  const added = { kind: 'run' as const, input: { plan: `plans/${plan}` } };
  await placeByLedger(place, runName(plan), input, { own: true, added });
}

/** What a person sees of a queued plan: a worker's first look at it, until its phases are known. */
export async function planScope({ ledger, projectId }: Ledgered, plan: string): Promise<string> {
  const { scope } = runName(plan);
  return (await ledger.queue.isUnderWay(projectId, scope)) ? scope : tasksWithin(plan);
}

/** The same for a task without a plan. */
export async function queueTaskByLedger(place: QueuePlace, taskId: string, input: QueueInput): Promise<void> {
  const { ledger, projectId, by } = place;
  const task = await ledger.tasks.get(projectId, taskId);
  await requireWorkable(ledger, task);
  const begun = await worktreeOf(ledger, projectId, taskId);
  if (begun) refuseOtherBranch(taskId, begun.featureBranch, input);
  await placeByLedger(place, { scope: taskId }, input, { begunOn: begun?.featureBranch });
  // Queueing it again is a request to retry.
  if (isFailedHere(task)) await ledger.tasks.unblock(projectId, taskId, by);
}

/** The same for work that is no task yet. */
export const queueAddedByLedger = (place: QueuePlace, name: TaskName, added: AddedWork, input: QueueInput) =>
  placeByLedger(place, name, input, { added });

/** The same for what a role is asked for. */
export async function queueRoleByLedger(
  place: QueuePlace,
  kind: RoleKind,
  id: string,
  input: QueueInput,
): Promise<void> {
  const task = await place.ledger.tasks.work(place.projectId, id, kind);
  if (task.result !== null) throw new FermataError('conflict', `${id} is already done.`);
  const begun = task.input.agent?.agent;
  const agent = fixedAgentNames.find((name) => name === begun) ?? input.agent;
  await placeByLedger(place, { scope: id }, { ...input, ...(agent ? { agent } : {}) });
}

/** The same for a review of a phase, whose commits the remote must have. */
export async function queueReviewByLedger(
  place: QueuePlace,
  taskId: string,
  input: QueueInput,
): Promise<void> {
  const { ledger, projectId } = place;
  await ledger.tasks.get(projectId, taskId);
  const worktree = await worktreeOf(ledger, projectId, taskId);
  if (!worktree || worktree.plan === null) throw noWorktree(taskId);
  const { plan, branch, featureBranch } = worktree;
  refuseOtherBranch(taskId, featureBranch, input);
  const reviewed = { ledger, projectId, taskId };
  const agent = await reviewerForWorkers({ env: {}, configured: undefined }, reviewed, input);
  const added = { kind: 'review' as const, input: { plan, reviews: taskId, branch } };
  const how = { begunOn: featureBranch, added };
  await placeByLedger(place, reviewName(taskId), { ...input, ...agent }, how);
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
type ByLedger = Omit<QueueInput, 'agent'> & Partial<AgentOptions>;

interface How {
  /** The branch that the work began on. */
  begunOn?: string | undefined;
  /** It has its own branch, so the branches of other work say nothing about it. */
  own?: boolean;
  added?: AddedWork;
}

async function placeByLedger(
  place: QueuePlace,
  { scope, title }: Pick<TaskName, 'scope'> & Partial<TaskName>,
  { agent = 'claude', agentCommand, model, remote, branch, needs = [] }: ByLedger,
  { begunOn, own = false, added }: How = {},
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
  const named = title === undefined ? {} : { title };
  await ledger.queue.place({ projectId, scope, ...named, needs: needsOf(wishes, needs), options }, by, added);
}

type Ledgered = Omit<QueuePlace, 'by'>;

const hasOwnBranch: string[] = ['phase', 'run', 'review'];

/** The branch it was last queued for, or that of other work; not that of a plan, which has its own branch. */
function usualBranch(orders: QueueOrder[], scope: string, own: boolean): string | undefined {
  const before = orders.find((order) => order.scope === scope);
  const other = own ? undefined : orders.find(({ work }) => !hasOwnBranch.includes(work.kind));
  return (before ?? other)?.options.featureBranch;
}

function refuseOtherBranch(taskId: string, begun: string, { branch }: QueueInput): void {
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
