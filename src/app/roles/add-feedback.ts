import { readAnalyst } from '../../agents/roles/analyst-answer.ts';
import { agentOf } from '../../agents/run/run-options.ts';
import type { Consultation } from '../../schema/consultation.ts';
import { FermataError } from '../../schema/error.ts';
import type { Context } from '../context.ts';
import { consultRole, type RoleOptions, roleData, type Unfinished } from './consult-role.ts';
import { findConsultation } from './find-consultation.ts';

/** Has the Analyst turn feedback into tasks, or into questions first. `resume` names earlier feedback. */
export async function addFeedback(
  context: Context,
  wanted: { text: string } | { resume: string | true },
  options: RoleOptions,
): Promise<Unfinished | { kind: 'done'; feedback: Consultation }> {
  const { ledger } = context;
  const { id: projectId } = await context.project();
  const consultation =
    'resume' in wanted
      ? await findConsultation(context, projectId, 'analyst', wanted.resume)
      : await begin(context, projectId, wanted.text, options);
  if (consultation.status === 'done') return { kind: 'done', feedback: consultation };
  const consulted = await consultRole(context, consultation, options, { read: readAnalyst });
  if (consulted.kind !== 'accepted') return { kind: 'unfinished', consultation, why: consulted };
  const { tasks, category, summary } = consulted.value;
  const by = agentOf({ name: consulted.run.agent });
  const result = { category, summary };
  const feedback = await ledger.consultations.finish(projectId, consultation.id, result, by, tasks);
  return { kind: 'done', feedback };
}

function begin(
  context: Context,
  projectId: string,
  text: string,
  options: RoleOptions,
): Promise<Consultation> {
  if (text.trim() === '') throw new FermataError('invalid', 'The feedback is missing. Pass it as text.');
  const input = { projectId, role: 'analyst' as const, text, data: roleData(context, options) };
  return context.ledger.consultations.begin(input, context.who);
}
