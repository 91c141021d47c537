import { isBranchName } from '../../git/refs.ts';
import { isUsableAnywhere, repositoryAt, shownAddress } from '../../git/remote/address.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { requirePlanName } from '../../plan/plan-folder.ts';
import type { By } from '../../schema/actor.ts';
import { isServer } from '../../schema/address.ts';
import { fixedAgentNames } from '../../schema/agent-name.ts';
import { cmd } from '../../schema/command-line.ts';
import type { ConsultedRole } from '../../schema/consultation.ts';
import { FermataError } from '../../schema/error.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { AgentOptions } from '../../schema/run.ts';
import type { QueueInput, Work, WorkOrder } from '../../schema/work-order.ts';
import { tasksWithin } from '../../work/phases/phase-task.ts';
import { noWorktree } from '../../work/review/review-phase.ts';
import { isFailedHere } from '../../work/run/failed-here.ts';
import { reviewerForWorkers } from '../reviewer.ts';
import { requireWorkable } from '../work-on-task/require-workable.ts';
import { worktreeOf } from '../work-on-task/worktree-of.ts';
import { type AssignmentName, reviewName, roleName, startName } from './assignment-name.ts';
import { needsOf } from './place-order.ts';
import type { AssignmentBrief } from './queue-assignment.ts';

/** A plan or a task in a ledger. */
export interface QueuePlace {
  ledger: Ledger;
  by: By;
  projectId: string;
}

/**
 * Queues a plan for workers if the project has no folder here. The worker that takes one of its phases does the checks
 * that need the code. If nobody ran or queued the plan before, a worker looks for it first. Returns the order's name.
 */
export async function queuePlanByLedger(place: QueuePlace, plan: string, input: QueueInput): Promise<string> {
  requirePlanName(plan);
  const { ledger, projectId } = place;
  const orders = await ledger.workOrders.list(projectId);
  const scope = tasksWithin(plan);
  const { open, in_progress, blocked, closed } = await ledger.tasks.standing(projectId, scope);
  if (open + in_progress + blocked > 0) {
    const before = lastOrder(orders, scope);
    const folder = before?.work.kind === 'plan' ? before.work.plan : `plans/${plan}`;
    const featureBranch = branchOf(input, before?.work.featureBranch);
    await placeByLedger(place, orders, scope, { kind: 'plan', plan: folder, featureBranch }, input);
    return scope;
  }
  if (closed > 0) throw new FermataError('conflict', `All phases of ${plan} are done.`);
  const name = startName(plan);
  const featureBranch = branchOf(input, lastOrder(orders, name.scope)?.work.featureBranch);
  const about = { kind: 'start' as const, plan: `plans/${plan}`, featureBranch };
  await placeByLedger(place, orders, name.scope, about, input, name.title);
  return name.scope;
}

/** The work order that a person sees for a plan: a worker's first look at it, until its phases are known. */
export async function planScope({ ledger, projectId }: Ledgered, plan: string): Promise<string> {
  const { scope } = startName(plan);
  return (await ledger.workOrders.isUnderWay(projectId, scope)) ? scope : tasksWithin(plan);
}

/** The same for a task without a plan. */
export async function queueTaskByLedger(place: QueuePlace, taskId: string, input: QueueInput): Promise<void> {
  const { ledger, projectId, by } = place;
  const task = await ledger.tasks.get(projectId, taskId);
  await requireWorkable(ledger, task);
  const begun = await worktreeOf(ledger, projectId, taskId);
  if (begun) refuseOtherBranch(taskId, begun.featureBranch, input);
  const orders = await ledger.workOrders.list(projectId);
  const last = begun?.featureBranch ?? lastOrder(orders, taskId)?.work.featureBranch ?? usualBranch(orders);
  const featureBranch = branchOf(input, last);
  await placeByLedger(place, orders, taskId, { kind: 'task', featureBranch }, input);
  // Queueing it again is a request to retry.
  if (isFailedHere(task)) await ledger.tasks.unblock(projectId, taskId, by);
}

/** The same for an assignment. */
export async function queueAssignmentByLedger(
  place: QueuePlace,
  { scope, title }: AssignmentName,
  brief: AssignmentBrief,
  input: QueueInput,
): Promise<void> {
  const orders = await place.ledger.workOrders.list(place.projectId);
  const last = lastOrder(orders, scope)?.work.featureBranch ?? usualBranch(orders);
  const featureBranch = branchOf(input, last);
  await placeByLedger(place, orders, scope, { ...brief, featureBranch }, input, title);
}

/** The same for a consultation of a role. */
export async function queueRoleByLedger(
  place: QueuePlace,
  role: ConsultedRole,
  id: string,
  input: QueueInput,
): Promise<void> {
  const consultation = await place.ledger.consultations.get(place.projectId, id);
  if (consultation.role !== role) throw new FermataError('not_found', `There is no ${role} ${id}.`);
  if (consultation.status === 'done') throw new FermataError('conflict', `${id} is already done.`);
  const begun = consultation.data.agent?.agent;
  const agent = fixedAgentNames.find((name) => name === begun) ?? input.agent;
  const brief = { kind: 'role' as const, consultation: id };
  await queueAssignmentByLedger(place, roleName(consultation), brief, {
    ...input,
    ...(agent ? { agent } : {}),
  });
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
  const { scope, title } = reviewName(taskId);
  const about = { kind: 'review' as const, plan, reviews: taskId, branch, featureBranch };
  const orders = await ledger.workOrders.list(projectId);
  await placeByLedger(place, orders, scope, about, { ...input, ...agent }, title);
}

/** The branch and the remote that the next work order would use by default. */
export async function usualPlace(place: Omit<QueuePlace, 'by'>, scope: string) {
  const orders = await place.ledger.workOrders.list(place.projectId);
  const before = lastOrder(orders, scope)?.work.featureBranch;
  const isPlan = scope.endsWith('/') || scope.startsWith('run:');
  return {
    branch: before ?? (isPlan ? undefined : usualBranch(orders)) ?? null,
    remote: (await knownRemote(place, orders)) ?? null,
  };
}

type About =
  | (AssignmentBrief & Pick<Work, 'featureBranch'>)
  | Pick<Extract<Work, { kind: 'plan' }>, 'kind' | 'plan' | 'featureBranch'>
  | Pick<Extract<Work, { kind: 'task' }>, 'kind' | 'featureBranch'>;

/** An agent that continues may have its own program. */
type ByLedger = Omit<QueueInput, 'agent'> & Partial<AgentOptions>;

async function placeByLedger(
  place: QueuePlace,
  orders: WorkOrder[],
  scope: string,
  about: About,
  { agent = 'claude', agentCommand, model, remote, needs = [] }: ByLedger,
  title?: string,
): Promise<void> {
  const { ledger, by, projectId } = place;
  const options = {
    agent,
    ...(model === undefined ? {} : { model }),
    ...(agentCommand === undefined ? {} : { agentCommand }),
  };
  const work: Work = { ...about, remote: await remoteOf(place, orders, remote), options };
  const named = title === undefined ? {} : { title };
  await ledger.workOrders.place({ projectId, scope, ...named, needs: needsOf(options, needs), work }, by);
}

type Ledgered = Omit<QueuePlace, 'by'>;

const hasOwnBranch: Work['kind'][] = ['plan', 'start', 'review'];

/** The branch of the last task or assignment; not that of a plan, which has its own branch. */
const usualBranch = (orders: WorkOrder[]) =>
  orders.find(({ work }) => !hasOwnBranch.includes(work.kind))?.work.featureBranch;

const lastOrder = (orders: WorkOrder[], scope: string) => orders.find((order) => order.scope === scope);

function refuseOtherBranch(taskId: string, begun: string, { branch }: QueueInput): void {
  if (branch !== undefined && branch !== begun)
    throw new FermataError('invalid', `${taskId} was started for ${begun}. Leave out the branch.`);
}

function branchOf({ branch }: QueueInput, before: string | undefined): string {
  const chosen = branch ?? before;
  if (chosen === undefined) throw new FermataError('invalid', 'Name the branch to merge into ("branch").');
  if (!isBranchName(chosen))
    throw new FermataError('invalid', `"${chosen.slice(0, 200)}" is not the name of a branch.`);
  return chosen;
}

/** The remote of the last work order, or else of a clone that somebody works in. */
async function knownRemote(
  { ledger, projectId }: Ledgered,
  orders: WorkOrder[],
): Promise<string | undefined> {
  const ordered = orders.find(({ work }) => work.remote !== null)?.work.remote;
  const clones = ordered ? [] : await ledger.clones.list(projectId);
  const address = ordered ?? clones.find(({ remote }) => remote !== null)?.remote?.address;
  return address !== undefined && isUsableAnywhere(address) ? address : undefined;
}

async function remoteOf(place: QueuePlace, orders: WorkOrder[], given: string | undefined): Promise<string> {
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
