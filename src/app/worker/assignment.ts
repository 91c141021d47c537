import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { AnsweredWork } from '../../schema/work-order.ts';
import { isEnvironmentEnd } from '../../work/run/environment-fault.ts';
import { ModelOutage } from '../../work/run/outage.ts';
import type { Context } from '../context.ts';
import { beginConvert } from '../convert.ts';
import { beginDraft } from '../draft/draft.ts';
import { folderInside, newFolderInside } from '../folder-inside.ts';
import { beginPlanFromIssues } from '../plan-from-issues/plan-from-issues.ts';
import { readIssues } from '../plan-from-issues/read-issues.ts';
import { addFeedback } from '../roles/add-feedback.ts';
import type { Unfinished } from '../roles/consult-role.ts';
import { decompose } from '../roles/decompose.ts';
import { updatePrd } from '../roles/update-prd.ts';
import type { WrittenPlan } from '../write-plan.ts';

/** Executes an assignment to its end and describes the result. Waits while a person has to answer. */
export async function performAssignment(
  context: Context,
  work: AnsweredWork,
  signal: AbortSignal,
): Promise<string> {
  const { kind } = work;
  // Whoever set FERMATA_TRUST on this machine has not seen this content.
  const options = { ...work.options, neverInAdvance: true, signal };
  switch (kind) {
    case 'role':
      return performRole(context, work.consultation, { ...options, agentGiven: true });
    case 'draft': {
      const { idea, adaptive } = work;
      const output = newFolderInside(context.cwd, work.plan);
      const { carryOut } = await beginDraft(context, { idea }, { ...options, adaptive, output });
      return written(await carryOut(), work.plan);
    }
    case 'conversion': {
      const { text, replace, requireFidelity, maxAttempts } = work;
      const source = { name: 'the text', text };
      const wanted = { ...options, replace, requireFidelity, maxAttempts };
      const output = newFolderInside(context.cwd, work.plan);
      return written(
        await (await beginConvert(context, source, { ...wanted, output })).carryOut(),
        work.plan,
      );
    }
    case 'issues': {
      const { maxQuestions, maxAttempts, planAgain, fromDir, ...source } = work;
      const folder = fromDir === undefined ? {} : { fromDir: folderInside(context.cwd, fromDir) };
      const issues = await readIssues(context, { ...source, ...folder }, signal);
      const wanted = { ...options, maxQuestions, maxAttempts, planAgain };
      const output = newFolderInside(context.cwd, work.plan);
      const { carryOut } = await beginPlanFromIssues(context, issues, { ...wanted, output });
      return written(await carryOut(), work.plan);
    }
    default: {
      const never: never = kind;
      return never;
    }
  }
}

type RoleOptions = Parameters<typeof addFeedback>[2];

async function performRole(context: Context, id: string, options: RoleOptions): Promise<string> {
  const { id: projectId } = await context.project();
  const { role, status } = await context.ledger.consultations.get(projectId, id);
  if (status === 'done') return 'It is done already.';
  switch (role) {
    case 'analyst': {
      const { feedback } = finished(await addFeedback(context, { resume: id }, options));
      const { tasks = [], summary = '' } = feedback.result ?? {};
      return `Tasks: ${tasks.join(', ') || 'none'}. ${summary}`.trim();
    }
    case 'dreamer': {
      const { section, summary } = finished(await updatePrd(context, { resume: id }, options));
      return `Changed "${section}" in PRD.md: ${summary}`;
    }
    case 'planner': {
      const { files } = finished(await decompose(context, { resume: id }, options));
      return `Wrote ${files.join(', ')}.`;
    }
    default: {
      const never: never = role;
      return never;
    }
  }
}

function finished<T extends { kind: 'done' }>(outcome: T | Unfinished): T {
  if (outcome.kind === 'done') return outcome;
  const { why } = outcome;
  switch (why.kind) {
    case 'stopped':
      throw stopped(why.end);
    case 'given_up':
      throw new Refusal(
        'unreadable',
        `The agent's answer is unusable: ${why.sentBack.at(-1)?.findings ?? ''}`,
      );
    case 'waiting':
      throw interrupted();
    default: {
      const never: never = why;
      throw never;
    }
  }
}

function written(
  { result, outcome, problem }: Omit<WrittenPlan, 'outcome'> & Partial<WrittenPlan>,
  plan: string,
) {
  if (outcome?.kind === 'passed') return `The plan is in ${plan}.`;
  if (result === 'interrupted' || outcome === undefined) throw interrupted();
  if (outcome.kind === 'stopped') throw stopped(outcome);
  throw new Refusal('no_plan', problem ?? 'No attempt passed the audit.');
}

/** An unavailable model, or a missing or killed program, is not a failure of the assignment. */
export function stopped(end: { reason: string; message: string }): FermataError {
  if (isEnvironmentEnd(end)) return new FermataError('unavailable', end.message);
  if (end.reason === 'api_error') return new ModelOutage(end.message, cmd`worker`);
  return new Refusal('agent_failed', end.message);
}

/** It ends without an answer only if this worker stops; the next worker continues. */
const interrupted = () => new FermataError('unavailable', 'It was interrupted.');
