import { idKey } from '../../plan/grammar/phase-id.ts';
import { isQuestion } from '../../schema/is-question.ts';
import type { Notification } from '../../schema/notification.ts';
import type { PhaseRecordOf } from '../../schema/phase-record.ts';
import { boundDecided } from '../decided/bound-decided.ts';
import { decidedCommand, readDecided } from '../decided/read-decided.ts';
import { answerTo } from '../gates/gate-result.ts';
import { gatesOf } from '../gates/human-gates.ts';
import { isDebug, requiresManualTesting } from './front-matter.ts';
import { statusNow } from './overview.ts';
import type { PhaseTask } from './phase-task.ts';
import type { PlanContext } from './plan-context.ts';
import { branchFor, worktreeOf } from './worktree.ts';

/** The prompt for the agent that works on a phase, with everything that happened in the phase so far. */
export async function readPrompt(planContext: PlanContext, at: PhaseTask): Promise<object> {
  const { ledger, projectId, plan } = planContext;
  const { phase, number, variant, variants, front, taskId } = at;
  const task = await ledger.tasks.find(projectId, taskId);
  const records = task ? await ledger.phases.list(projectId, taskId) : [];
  const asked = (await ledger.notifications.asked(projectId, 'execute', taskId)).filter(isQuestion);
  const worktree = task ? await worktreeOf(planContext, at) : undefined;
  const started = records.findLast((each) => each.kind === 'started');
  const file = plan.files.get(phase.path);
  const decided = boundDecided(await readDecided(planContext, at));
  return {
    id: variant ? `${number}-${variant}` : number,
    title: phase.title,
    variant,
    variants,
    task: taskId,
    plan: { name: planContext.name, folder: planContext.folder },
    path: phase.path,
    feature_branch: planContext.here.featureBranch ?? null,
    worktree: {
      branch: started?.branch ?? branchFor(planContext, at, undefined),
      path: worktree?.path ?? null,
    },
    protocol: isDebug(front) ? 'debugging' : 'implementation',
    debug: isDebug(front),
    requires_manual_testing: requiresManualTesting(front),
    status: statusNow(at, task),
    holder: task?.assignee ?? null,
    front_matter: front,
    content: file && 'text' in file ? file.text.replace(/^\uFEFF/, '') : '',
    dependencies: phase.dependsOn.map(({ id, text }) => {
      const other = id === null ? undefined : plan.phases.find((each) => idKey(each.id) === idKey(id));
      return { id, title: other?.title ?? text, status: other?.status ?? null };
    }),
    criteria: (phase.file?.criteria ?? []).map(({ id, text }) => ({ id, text })),
    gates: (phase.file?.gates ?? []).map(({ name, command }) => ({ name, command })),
    decisions: decided.decisions,
    assumptions: decided.assumptions,
    issues: decided.issues,
    left_out: { ...decided.leftOut, command: decidedCommand(at) },
    iterations: records.filter((each) => each.kind === 'implementation').map(iterationJson),
    reviews: records
      .filter((each) => each.kind === 'review')
      .map(({ iteration, at: when, data }) => ({ iteration, at: when, ...data })),
    human_gates: (await gatesOf(planContext, at)).map(gateJson),
    answered_questions: asked.flatMap(answeredJson),
    open_questions: asked
      .filter(({ status }) => status === 'open')
      .flatMap(({ id, questions }) => questions.map(({ text }) => ({ notification: id, question: text }))),
  };
}

function iterationJson({ iteration, at, by, data }: PhaseRecordOf<'implementation'>): object {
  const { type, walkthrough, reason } = data;
  return { iteration, type, walkthrough, refinement_reason: reason, at, by: by.actor.name };
}

function gateJson(notification: Notification): object {
  const { id, gate, status, outcome, questions } = notification;
  const answers = Object.fromEntries(
    questions
      .map((question) => [question.id, answerTo(notification, question.id)])
      .filter(([, answer]) => answer !== ''),
  );
  return { kind: gate?.kind, round: gate?.round, notification: id, status: outcome ?? status, answers };
}

function answeredJson({ questions, responses }: Notification): object[] {
  return responses.flatMap((response) => {
    if (response.kind !== 'answered') return [];
    const question = questions.find(({ id }) => id === response.questionId);
    const { answer, note, by, at } = response;
    return [
      {
        question: question?.text ?? response.questionId,
        answer,
        ...(note ? { note } : {}),
        by: by.actor.name,
        at,
      },
    ];
  });
}
