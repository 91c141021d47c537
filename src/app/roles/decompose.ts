import { join, resolve } from 'node:path';
import { MAX_TASKS } from '../../agents/roles/planner-answer.ts';
import { agentOf } from '../../agents/run/run-options.ts';
import { readDecomposition } from '../../plan/decompose.ts';
import { refuseUnusableFolder, slug } from '../../plan/plan-folder.ts';
import { isWritten, writePlanFolder } from '../../plan/write-plan-folder.ts';
import type { ConsultationOf } from '../../schema/consultation.ts';
import { FermataError } from '../../schema/error.ts';
import type { Context } from '../context.ts';
import { workerPath } from '../worker/worker-path.ts';
import { consultRole, type RoleOptions, roleData, type Unfinished } from './consult-role.ts';
import { findConsultation } from './find-consultation.ts';

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
  const consultation = await openDecomposition(context, wanted, options);
  const output = outputOf(context, consultation);
  const created = consultation.createdAt.slice(0, 10);
  const consulted = await consultRole(context, consultation, options, {
    read: (text) => readDecomposition(text, output, created),
    values: () => ({ mostTasks: String(MAX_TASKS) }),
  });
  if (consulted.kind !== 'accepted') return { kind: 'unfinished', consultation, why: consulted };
  const { answer, files } = consulted.value;
  // If the process was killed after writing, the plan is already there.
  if (!isWritten(output, files)) writePlanFolder(output, files);
  await context.assignment?.publish();
  const by = agentOf({ name: consulted.run.agent });
  const names = files.map(({ name }) => name);
  await context.ledger.consultations.finish(consultation, { output, files: names }, by);
  return { kind: 'done', output, files: names, phases: answer.phases.length };
}

/** For workers, the path is relative to the clone that they use. */
const outputOf = ({ cwd }: Context, { data }: ConsultationOf<'planner'>) => resolve(cwd, data.output);

/** Stores what the Planner is asked, or finds the earlier consultation to resume. */
export async function openDecomposition(
  context: Context,
  wanted: Wanted,
  options: RoleOptions,
): Promise<ConsultationOf<'planner'>> {
  const { id: projectId } = await context.project();
  if ('resume' in wanted) {
    const found = await findConsultation(context, projectId, 'planner', wanted.resume);
    if (found.status !== 'open')
      throw new FermataError('conflict', `${found.id} is already done. See ${found.result?.output}.`);
    refuseUnusableFolder(outputOf(context, found), true);
    return found;
  }
  const { plan: text } = wanted;
  const { root } = context.settings.project.value;
  const output = resolve(context.cwd, wanted.output ?? join(root, 'plans', slug(text)));
  refuseUnusableFolder(output);
  const data = {
    ...roleData(context, options),
    output: options.forWorkers ? workerPath(context, output) : output,
  };
  const input = { projectId, role: 'planner' as const, subject: slug(text), text, data };
  return context.ledger.consultations.begin(input, context.who);
}
