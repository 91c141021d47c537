import { join, resolve } from 'node:path';
import { MAX_TASKS } from '../../../agents/roles/planner-answer.ts';
import { readDecomposition } from '../../../plan/decompose.ts';
import { refuseUnusableFolder, slug } from '../../../plan/plan-folder.ts';
import { writePlanFolder } from '../../../plan/write-plan-folder.ts';
import { FermataError } from '../../../schema/error.ts';
import type { WorkTask } from '../../../schema/work.ts';
import type { Context } from '../../context.ts';
import { roleTitle } from '../../worker/task-names.ts';
import { workerPath } from '../../worker/worker-path.ts';
import { askRole, type RoleOptions, roleData, type Unfinished } from './consult-role.ts';
import { findRequest } from './find-request.ts';

interface Decomposed {
  kind: 'done';
  output: string;
  files: string[];
  phases: number;
}

type Wanted = { plan: string; output?: string } | { resume: string | true };

/** Has the Planner split a plan, and writes the phases as soon as they pass the audit. */
export async function decompose(
  context: Context,
  wanted: Wanted,
  options: RoleOptions,
): Promise<Unfinished | Decomposed> {
  const task = await openDecomposition(context, wanted, options);
  const output = outputOf(context, task);
  const created = task.createdAt.slice(0, 10);
  const role = {
    read: (text: string) => readDecomposition(text, output, created),
    values: () => ({ mostTasks: String(MAX_TASKS) }),
  };
  return askRole(context, task, options, role, async ({ answer, files }, by) => {
    writePlanFolder(output, files);
    await context.held?.publish();
    const names = files.map(({ name }) => name);
    await context.ledger.tasks.finish(task, { output, files: names }, by);
    return { kind: 'done', output, files: names, phases: answer.phases.length };
  });
}

/** For workers, the path is relative to the clone that they use. */
const outputOf = ({ cwd }: Context, { input }: WorkTask<'decompose'>) => resolve(cwd, input.output);

/** Stores what the Planner is asked, or finds the earlier request to resume. */
export async function openDecomposition(
  context: Context,
  wanted: Wanted,
  options: RoleOptions,
): Promise<WorkTask<'decompose'>> {
  const { id: projectId } = await context.project();
  if ('resume' in wanted) {
    const found = await findRequest(context, projectId, 'decompose', wanted.resume);
    if (found.result !== null)
      throw new FermataError('conflict', `${found.id} is already done. See ${found.result.output}.`);
    refuseUnusableFolder(outputOf(context, found), true);
    return found;
  }
  const { plan: text } = wanted;
  const { root } = context.settings.project.value;
  const output = resolve(context.cwd, wanted.output ?? join(root, 'plans', slug(text)));
  refuseUnusableFolder(output);
  const input = {
    text,
    ...roleData(context, options),
    output: options.forWorkers ? workerPath(context, output) : output,
  };
  const work = { kind: 'decompose' as const, input };
  return context.ledger.tasks.submit({ projectId, title: roleTitle('decompose', text) }, work, context.who);
}
