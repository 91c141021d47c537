import { relative } from 'node:path';
import { shownAddress } from '../../git/remote/address.ts';
import { orderKey } from '../../ledger/tasks/assignment-key.ts';
import { prdPath } from '../../plan/prd.ts';
import type { AnsweredWork, WorkOrder } from '../../schema/work-order.ts';
import type { HeldTask } from '../../work/run/task-loop.ts';
import type { Context } from '../context.ts';
import { performAssignment } from './assignment.ts';
import { type AssignmentFolder, openAssignmentFolder } from './assignment-folder.ts';
import { asBusy, finishAssignment } from './finish-assignment.ts';
import { inOrderContext, orderContextAt } from './order-context.ts';
import { untilTrusted } from './until-trusted.ts';
import type { WorkerParts } from './worker-parts.ts';

type Assignment = WorkOrder & { work: AnsweredWork };

/** Everything up to the point where the first agent of an assignment would start. */
export async function openAssignment(
  parts: WorkerParts,
  order: Assignment,
  held: HeldTask,
): Promise<() => Promise<void>> {
  const { work, scope } = order;
  const folder = await ownFolder(parts, order, held);
  const opened = folder
    ? await orderContextAt(parts, order, await parts.ledger.projects.get(order.projectId), folder.cwd)
    : await inOrderContext(parts, order, held.signal, async (context) => context);
  const context: Context = {
    ...opened,
    ask: { stays: () => true },
    assignment: {
      key: orderKey(scope, work),
      onHold: held.onHold,
      confirm: held.confirm,
      publish: async () => folder?.publish(await writtenPaths(opened, order), held.task.title),
    },
  };
  return async () => {
    const perform = () => performAssignment(context, work, held.signal).catch(asBusy);
    const said = await untilTrusted(parts.ledger, held, perform);
    if (said === undefined || held.signal.aborted) return;
    await finishAssignment(parts, held, `${said} ${await describeLocation(context, order, folder)}`.trim());
    folder?.discard();
  };
}

/** The own clone of an assignment that writes files; undefined if it writes none, or if there is no remote to clone. */
async function ownFolder(
  parts: WorkerParts,
  order: Assignment,
  held: HeldTask,
): Promise<AssignmentFolder | undefined> {
  const { remote } = order.work;
  if (remote === null || !(await writes(parts, order))) return undefined;
  return openAssignmentFolder(parts, { ...order, work: { ...order.work, remote } }, held);
}

async function writes({ ledger }: Pick<WorkerParts, 'ledger'>, { work, projectId }: Assignment) {
  if (work.kind !== 'role') return true;
  return (await ledger.consultations.get(projectId, work.consultation)).role !== 'analyst';
}

/** Relative to the top of the clone. */
async function writtenPaths({ ledger, cwd, settings }: Context, { work, projectId }: Assignment) {
  if (work.kind !== 'role') return [work.plan];
  const { role, data } = await ledger.consultations.get(projectId, work.consultation);
  return [role === 'planner' ? data.output : relative(cwd, prdPath(settings.project.value.root))];
}

async function describeLocation(context: Context, order: Assignment, folder: AssignmentFolder | undefined) {
  const { remote } = order.work;
  if (folder && remote !== null)
    return `Pushed to branch ${folder.branch} of ${shownAddress({ address: remote })}.`;
  return (await writes(context, order)) ? `Written to ${context.cwd}.` : '';
}
