import type { Ledger } from '../../ledger/ledger.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { QueueOrder, ResultOf, RoleKind, Work } from '../../schema/work.ts';
import type { Context } from '../context.ts';
import { beginConvert } from '../kinds/convert.ts';
import { beginDraft } from '../kinds/draft/draft.ts';
import { folderInside, newFolderInside } from '../kinds/folder-inside.ts';
import { beginPlanFromIssues } from '../kinds/plan-from-issues/plan-from-issues.ts';
import { readIssues } from '../kinds/plan-from-issues/read-issues.ts';
import { addFeedback } from '../kinds/roles/add-feedback.ts';
import type { Unfinished } from '../kinds/roles/consult-role.ts';
import { decompose } from '../kinds/roles/decompose.ts';
import { updatePrd } from '../kinds/roles/update-prd.ts';
import type { WrittenPlan } from '../kinds/write-plan.ts';
import { isEnvironmentEnd, ModelOutage } from '../run/faults.ts';
import { orderTrust } from './order-context.ts';

/** Work whose result is what an agent answers. */
export type AnsweredWork = Exclude<Work, { kind: 'task' | 'phase' | 'run' | 'review' | 'analyze' }>;

/** Carries it out to its end and describes the result. Waits while a person has to answer. */
export async function answerWork(
  context: Context,
  order: QueueOrder,
  { kind, input }: AnsweredWork,
  signal: AbortSignal,
): Promise<string> {
  const { scope: taskId } = order;
  const options = { ...order.options.options, ...orderTrust, signal };
  const role = { ...options, agentGiven: true };
  if ('plan' in input && (await wasUsed(context.ledger, order, taskId))) return planIn(input.plan);
  switch (kind) {
    case 'draft': {
      const { idea, adaptive, plan } = input;
      const output = newFolderInside(context.cwd, plan);
      const { carryOut } = await beginDraft(context, { idea }, { ...options, adaptive, output });
      return written(await carryOut(), plan);
    }
    case 'convert': {
      const { text, plan, ...more } = input;
      const output = newFolderInside(context.cwd, plan);
      const source = { name: 'the text', text };
      const { carryOut } = await beginConvert(context, source, { ...options, ...more, output });
      return written(await carryOut(), plan);
    }
    case 'plan_from_issues': {
      const { maxQuestions, maxAttempts, planAgain, fromDir, plan, ...source } = input;
      const folder = fromDir === undefined ? {} : { fromDir: folderInside(context.cwd, fromDir) };
      const issues = await readIssues(context, { ...source, ...folder }, signal);
      const output = newFolderInside(context.cwd, plan);
      const wanted = { ...options, maxQuestions, maxAttempts, planAgain, output };
      const { carryOut } = await beginPlanFromIssues(context, issues, wanted);
      return written(await carryOut(), plan);
    }
    case 'feedback': {
      const { feedback } = finished(await addFeedback(context, { resume: taskId }, role));
      const { tasks = [], summary = '' } = feedback.result ?? {};
      return `Tasks: ${tasks.join(', ') || 'none'}. ${summary}`.trim();
    }
    case 'prd': {
      const { section, summary } =
        (await resultOf(context, taskId, kind)) ??
        finished(await updatePrd(context, { resume: taskId }, role));
      return `Changed "${section}" in PRD.md: ${summary}`;
    }
    case 'decompose': {
      const { files = [] } =
        (await resultOf(context, taskId, kind)) ??
        finished(await decompose(context, { resume: taskId }, role));
      return `Wrote ${files.join(', ')}.`;
    }
    default: {
      const never: never = kind;
      return never;
    }
  }
}

const planIn = (plan: string) => `The plan is in ${plan}.`;

/** Whether an answer was used since the work was queued, by a process that was killed before it ended the task. */
export async function wasUsed(
  ledger: Ledger,
  { projectId, at }: Pick<QueueOrder, 'projectId' | 'at'>,
  taskId: string,
): Promise<boolean> {
  const runs = await ledger.runs.ofTask(projectId, taskId);
  return runs.some(({ data, endedAt }) => data.judgement?.kind === 'accepted' && (endedAt ?? '') >= at);
}

/** The same for a role, whose answer is the result of its task. */
async function resultOf<Kind extends RoleKind>(
  { ledger, project }: Context,
  taskId: string,
  kind: Kind,
): Promise<ResultOf<Kind> | null> {
  const { result } = await ledger.tasks.work((await project()).id, taskId, kind);
  return result as ResultOf<Kind> | null;
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
  if (outcome?.kind === 'passed') return planIn(plan);
  if (result === 'interrupted' || outcome === undefined) throw interrupted();
  if (outcome.kind === 'stopped') throw stopped(outcome);
  throw new Refusal('no_plan', problem ?? 'No attempt passed the audit.');
}

/** An unavailable model, or a missing or killed program, is not a failure of the work. */
export function stopped(end: { reason: string; message: string }): FermataError {
  if (isEnvironmentEnd(end)) return new FermataError('unavailable', end.message);
  if (end.reason === 'api_error') return new ModelOutage(end.message, cmd`worker`);
  return new Refusal('agent_failed', end.message);
}

/** It ends without an answer only if this worker stops; the next worker continues. */
const interrupted = () => new FermataError('unavailable', 'It was interrupted.');
