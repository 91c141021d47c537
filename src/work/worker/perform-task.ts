import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { withGateFiles } from '../../channels/gate-file/with-gate-files.ts';
import { shownAddress } from '../../git/remote/address.ts';
import { crashPoint } from '../../ledger/crash-point.ts';
import { prdPath } from '../../plan/prd.ts';
import { counted } from '../../schema/counted.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import type { ReviewRecord } from '../../schema/phase-record.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { QueueOrder, WorkOf } from '../../schema/work.ts';
import type { Context } from '../context.ts';
import { folderInside } from '../kinds/folder-inside.ts';
import { executePhase } from '../kinds/phase/execute-phase.ts';
import { queuePlan } from '../kinds/phase/queue-plan.ts';
import { openPlanRun, tellProblem } from '../kinds/phase/run-plan.ts';
import { beginReviewIn } from '../kinds/review.ts';
import { executeTask } from '../kinds/task/execute-task.ts';
import { openTask } from '../kinds/task/open-task.ts';
import { noWorktree } from '../review/review-phase.ts';
import type { HeldTask } from '../run/task-loop.ts';
import { untilReachable } from '../run/until-reachable.ts';
import type { PlanRun } from '../run/work-run.ts';
import { catchUp } from '../worktrees/exchange/follow-feature.ts';
import { usesRemote } from '../worktrees/exchange/remote-context.ts';
import { type AnsweredWork, answerWork, stopped, wasUsed } from './answer-work.ts';
import { isHere } from './here.ts';
import { inOrderContext, orderContextAt, orderTrust } from './order-context.ts';
import { type OwnFolder, openOwnFolder, openReviewFolder } from './own-folder.ts';
import { notAlone } from './place-order.ts';
import { untilTrusted } from './until-trusted.ts';
import type { WorkerParts } from './worker-parts.ts';

/** Does what a person queued, by the same rules as the commands at a terminal. */
export async function performTask(parts: WorkerParts, held: HeldTask): Promise<void> {
  const { projectId, id } = held.task;
  const { ledger, report } = parts;
  const order = await ledger.queue.find(projectId, id);
  const tell = (text: string) => report({ kind: 'phase', task: id, phase: id, text });
  if (!order) return tell('is no longer queued for workers');
  // An address where a clone of the project has been is right, and its repository comes back.
  const clones = await ledger.clones.list(projectId);
  const isNew = !clones.some(({ remote }) => remote?.address === order.options.remote);
  const patient = { signal: held.signal, tell, isNew };
  const start = await untilTrusted(ledger, held, () =>
    untilReachable(patient, () => opened(parts, order, held)),
  );
  await start?.();
}

type Start = () => Promise<void>;

/** The work, ready to start its first agent. */
async function opened(parts: WorkerParts, order: QueueOrder, held: HeldTask): Promise<Start> {
  const { work, options: place, needs } = order;
  const { signal, task } = held;
  const options = { ...place.options, ...orderTrust, signal };
  const feature = place.featureBranch;
  const within = (use: (context: Context) => Promise<Start>) => inOrderContext(parts, order, signal, use);
  switch (work.kind) {
    case 'phase':
      return within(async (context) => {
        const plan = join(context.cwd, work.input.plan);
        const { run } = await openPlanRun(context, plan, { ...options, feature });
        return () => performPhase(run, held, isHere(needs));
      });
    case 'task':
      return within(async (context) => {
        const run = await openTask(context, task.id, { ...options, into: feature });
        return () => executeTask(run, held);
      });
    case 'run':
      return within(async (context) => {
        const folder = folderInside(context.cwd, work.input.plan);
        const { plan, phases } = await queuePlan(context, folder, { ...options, feature, needs });
        const said = `${counted(phases, 'phase')} of ${plan} ${phases === 1 ? 'is' : 'are'} queued for workers.`;
        return () => finish(parts, held, said);
      });
    case 'review':
      return openReview(parts, order, work.input, held);
    case 'analyze':
      throw notAlone(task.id);
    default:
      return openAnswer(parts, order, work, held);
  }
}

/** What the run of a plan does for its phases: gate files, and on this machine a local branch that follows the remote. */
async function performPhase(run: PlanRun, held: HeldTask, here: boolean): Promise<void> {
  const { task } = held;
  const { around, featureBranch, person, tell } = run;
  const { ledger, projectId, git } = around;
  const notice = (text: string) => tell({ taskId: task.id, name: task.id }, text);
  const concerns = ({ sourceId }: Notification) => sourceId === task.id;
  await withGateFiles({ ledger, projectId, concerns, person, tell: notice }, () => executePhase(run, held));
  if (here && usesRemote(git)) await catchUp(git, featureBranch).catch(tellProblem(notice));
}

/** A review that is ready to start its agent. */
async function openReview(
  parts: WorkerParts,
  order: QueueOrder,
  { plan, reviews, branch }: WorkOf<'review'>['input'],
  held: HeldTask,
): Promise<Start> {
  const { signal } = held;
  const { remote, options } = order.options;
  const record = await parts.ledger.worktrees.find(order.projectId, branch);
  const folder = remote === null ? undefined : await openReviewFolder(parts, order, remote, branch, signal);
  const path = folder?.cwd ?? record?.path ?? '';
  if (!record || !existsSync(path)) throw noWorktree(reviews);
  const phase = reviews.slice(reviews.indexOf('/') + 1);
  const { carryOut } = await inOrderContext(parts, order, signal, (context) => {
    const wanted = { ...options, ...orderTrust, signal, plan: join(context.cwd, plan) };
    return beginReviewIn(context, phase, { ...record, path }, wanted);
  });
  return async () => {
    const before = (await wasUsed(parts.ledger, order, reviews)) && (await lastReview(parts, order, reviews));
    const review = before || (await carryOut().catch(asStopped).catch(asBusy));
    if (signal.aborted) return;
    await finish(parts, held, described(review));
    folder?.discard();
  };
}

async function lastReview({ ledger }: WorkerParts, { projectId }: QueueOrder, reviews: string) {
  const records = await ledger.phases.list(projectId, reviews);
  return records.findLast((each) => each.kind === 'review')?.data;
}

const described = ({ head = '', verdict, thoughts }: ReviewRecord) =>
  `${head} Verdict: ${verdict}. ${thoughts ?? ''}`.trim();

/** An unavailable model or a killed program says nothing about the work. */
function asStopped(error: unknown): never {
  if (!(error instanceof Refusal) || error.type !== 'agent_failed') throw error;
  const { message, details } = error;
  throw stopped({ ...(details as { reason: string }), message });
}

/** Work whose result is what an agent answers. */
async function openAnswer(
  parts: WorkerParts,
  order: QueueOrder,
  work: AnsweredWork,
  held: HeldTask,
): Promise<Start> {
  const { projectId } = order;
  const { remote } = order.options;
  const writes = work.kind !== 'feedback';
  const folder = remote === null || !writes ? undefined : await openOwnFolder(parts, order, remote, held);
  const opened = folder
    ? await orderContextAt(parts, order, await parts.ledger.projects.get(projectId), folder.cwd)
    : await inOrderContext(parts, order, held.signal, async (context) => context);
  const context: Context = {
    ...opened,
    ask: { stays: () => true },
    held: {
      onHold: held.onHold,
      confirm: held.confirm,
      publish: async () => folder?.publish([writtenBy(opened, work)], held.task.title),
    },
  };
  return async () => {
    const answer = () => answerWork(context, order, work, held.signal).catch(asBusy);
    const said = await untilTrusted(parts.ledger, held, answer);
    if (said === undefined || held.signal.aborted) return;
    await finish(parts, held, `${said} ${writes ? whereOf(context, remote, folder) : ''}`.trim());
    folder?.discard();
  };
}

/** Relative to the top of the clone. */
function writtenBy({ cwd, settings }: Context, work: AnsweredWork): string {
  switch (work.kind) {
    case 'decompose':
      return work.input.output;
    case 'prd':
    case 'feedback':
      return relative(cwd, prdPath(settings.project.value.root));
    default:
      return work.input.plan;
  }
}

const whereOf = ({ cwd }: Context, remote: string | null, folder: OwnFolder | undefined) =>
  folder && remote !== null
    ? `Pushed to branch ${folder.branch} of ${shownAddress({ address: remote })}.`
    : `Written to ${cwd}.`;

/** Adds the result to the chat of its task and closes the task. Safe to repeat. */
async function finish(
  { ledger, who }: WorkerParts,
  { task, confirm }: HeldTask,
  said: string,
): Promise<void> {
  const { projectId, id, fence } = task;
  crashPoint('task.finishing');
  await confirm();
  const before = await ledger.tasks.chat(projectId, id);
  if (before.at(-1)?.text !== said) await ledger.tasks.say(projectId, id, said, who, { isReport: true });
  await ledger.tasks.end(projectId, id, who, fence);
}

/** The previous holder may still hold the agent, because the agent's lease expires a moment later. */
function asBusy(error: unknown): never {
  const isHeld = error instanceof FermataError && error.code === 'conflict' && hasHolder(error.details);
  throw isHeld ? new FermataError('busy', error.message, { cause: error }) : error;
}

const hasHolder = (details: unknown) =>
  typeof details === 'object' && details !== null && 'holder' in details;
