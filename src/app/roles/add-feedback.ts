import { readAnalyst } from '../../agents/roles/analyst-answer.ts';
import { agentOf } from '../../agents/run/run-options.ts';
import type { Feedback } from '../../schema/consultation.ts';
import { FermataError } from '../../schema/error.ts';
import type { Context } from '../context.ts';
import { consultRole, type RoleOptions, roleData, type Unfinished } from './consult-role.ts';
import { findConsultation } from './find-consultation.ts';

type WantedFeedback = { text: string } | { resume: string | true };

/** Has the Analyst turn feedback into tasks, or into questions first. `resume` names earlier feedback. */
export async function addFeedback(
  context: Context,
  wanted: WantedFeedback,
  options: RoleOptions,
): Promise<Unfinished | { kind: 'done'; feedback: Feedback }> {
  const { ledger } = context;
  const consultation = await openFeedback(context, wanted, options);
  if (consultation.status === 'done') return { kind: 'done', feedback: consultation };
  const consulted = await consultRole(context, consultation, options, { read: readAnalyst });
  if (consulted.kind !== 'accepted') return { kind: 'unfinished', consultation, why: consulted };
  const { tasks, category, summary } = consulted.value;
  const by = agentOf({ name: consulted.run.agent });
  const result = { category, summary };
  const feedback = await ledger.consultations.finish(consultation, result, by, tasks);
  return { kind: 'done', feedback };
}

/** Stores new feedback, or finds the earlier feedback to resume. */
export async function openFeedback(
  context: Context,
  wanted: WantedFeedback,
  options: RoleOptions,
): Promise<Feedback> {
  const { id: projectId } = await context.project();
  if ('resume' in wanted) return findConsultation(context, projectId, 'analyst', wanted.resume);
  const { text } = wanted;
  if (text.trim() === '') throw new FermataError('invalid', 'The feedback is missing. Pass it as text.');
  const input = { projectId, role: 'analyst' as const, text, data: roleData(context, options) };
  return context.ledger.consultations.begin(input, context.who);
}
