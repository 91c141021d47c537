import { basename } from 'node:path';
import { answersText } from '../../../agents/questions/answer-text.ts';
import { waitingFor } from '../../../agents/run/conduct.ts';
import { previousIssuesSection } from '../../../plan/convert/prompt.ts';
import { withAssumed } from '../../../plan/draft.ts';
import { refuseUnusableFolder } from '../../../plan/plan-folder.ts';
import { withProgress } from '../../../plan/progress/progress-from-plan.ts';
import { readOwnTemplates } from '../../../plan/templates/templates.ts';
import { isApproval } from '../../../schema/is-question.ts';
import type { Notification } from '../../../schema/notification.ts';
import { type AgentTimes, withDefaultTimes } from '../../agent/agent-times.ts';
import { type AgentOptions, chooseAgent } from '../../agent/choose-agent.ts';
import type { Concern, Context } from '../../context.ts';
import { attendTask } from '../../run/attend-task.ts';
import { readHistory } from '../../run/history.ts';
import { nextStep } from '../../run/next-step.ts';
import { templateContents } from '../../trust/gather.ts';
import { requireAgentTrust, type TrustOptions } from '../../trust/require-trust.ts';
import type { Begun } from '../begun.ts';
import { keepAnswer } from '../keep-answer.ts';
import type { PlanOutcome } from '../plan-answer.ts';
import { closePlan, type WrittenPlan, writePlan } from '../write-plan.ts';
import { attemptsFolder, type DraftWork, draftAsker, findDraft, newDraft } from './draft-run.ts';
import { promptFor } from './prompt-for.ts';

export interface DraftOptions extends TrustOptions, Partial<AgentOptions>, AgentTimes {
  /** Whether the agent asks about decisions that are expensive to get wrong; otherwise it assumes. */
  adaptive?: boolean;
  /** The plan's folder (default: one in `plans/`, named after the idea). */
  output?: string;
  /** Whether the plan's folder also gets a progress file. */
  progress?: boolean;
  signal?: AbortSignal;
}

export interface Drafted extends WrittenPlan {
  data: DraftWork;
  /** Where the agent's work is saved, if it did not become a plan. */
  kept?: string;
}

const MAX_ROUNDS = 5;
const MAX_ATTEMPTS = 3;

/**
 * Has an agent write a plan from an idea. Called again with the same idea and options after a crash, it resumes the
 * agent's session.
 *
 * @example const { result, output } = await draft(context, 'A login page', { adaptive: true });
 */
export async function draft(context: Context, idea: string, options: DraftOptions = {}): Promise<Drafted> {
  return (await beginDraft(context, { idea }, options)).carryOut();
}

/** Everything before the agent starts. `resume` names an earlier draft, or means the newest. */
export async function beginDraft(
  context: Context,
  wanted: { idea: string } | { resume: string | true },
  options: DraftOptions,
): Promise<Begun<Drafted>> {
  const { ledger, settings, ask = {} } = context;
  const { id: projectId } = await context.project();
  const data =
    'resume' in wanted
      ? await findDraft(context, projectId, wanted.resume)
      : newDraft(context, wanted.idea, { ...options, agent: options.agent ?? 'claude' });
  const { name, input, output, agent } = data;
  const { idea, adaptive = false } = input;
  const asker = draftAsker(projectId, data);
  const history = await readHistory(ledger, asker);
  const earlier = history.past[0]?.run;
  if (earlier) {
    const text = `Resuming ${name.id}: ${idea.trim().split('\n')[0]?.slice(0, 80)}`;
    context.report({ kind: 'notice', text });
  }
  const step = nextStep(history, { asksPeople: adaptive });
  // If the agent has already answered, an earlier process may have written the plan into this folder.
  if (step.kind !== 'judge') refuseUnusableFolder(output);
  let runId = earlier?.id;
  const concern: Concern = {
    projectId,
    plan: basename(output),
    // Questions that no person is asked are answered with assumptions, but approvals always need a person.
    concerns: (each) => runId !== undefined && each.resume?.run === runId && (adaptive || isApproval(each)),
  };
  if ('resume' in wanted && step.kind === 'wait' && !(await ask.stays?.(concern)))
    throw waitingFor(step.run.id, step.open);
  const cwd = context.held ? context.cwd : (earlier?.cwd ?? context.cwd);
  const own = readOwnTemplates(settings.project.value.root, 'draft');
  await requireAgentTrust(context, cwd, options, templateContents(own));
  const times = withDefaultTimes(options);
  const { driver, setup } = await chooseAgent(context, agent, { cwd, mustAsk: adaptive, ...times });
  const prompt = await promptFor(context, projectId, data, cwd, own, earlier === undefined);
  const write = (signal: AbortSignal) =>
    writePlan(context, {
      ...{ ...asker, output, driver, setup, signal },
      replace: false,
      attempts: attemptsFolder(context, projectId, data),
      maxAttempts: MAX_ATTEMPTS,
      questions: adaptive ? 'ask' : 'assume',
      maxRounds: allowedRounds(earlier?.data.rounds ?? 0),
      doing: `${driver.name} is writing the plan`,
      onRun: (run) => {
        runId = run.id;
      },
      hasReportedResume: true,
      prompt: (previous, asked) =>
        [prompt, ...asked.filter(isAnswered).map(answersText), previousIssuesSection(previous)]
          .filter((part) => part !== '')
          .join('\n\n'),
      edit: (files, asked) => {
        const whole = adaptive ? files : withAssumed(files, asked);
        return input.progress ? withProgress(whole) : whole;
      },
    });
  return {
    carryOut: () =>
      attendTask(context, { name, work: { kind: 'draft', input } }, options.signal, async (signal) => {
        const written = await (ask.during ? ask.during(concern, () => write(signal)) : write(signal));
        if (written.outcome.kind === 'passed') await closePlan(context, written.outcome.run);
        const kept = keptOf(context, written.outcome, signal);
        return { ...written, data, ...(kept ? { kept } : {}) };
      }),
  };
}

const isAnswered = ({ responses }: Notification) => responses.length > 0;

/** Five rounds, and five more each time a person resumes a run that had asked too often. */
function allowedRounds(rounds: number): number {
  const before = Math.max(0, rounds - 1);
  return MAX_ROUNDS * (1 + Math.floor(before / MAX_ROUNDS));
}

/** Where the answer is saved. Saves nothing for an agent that can be resumed, because it still has its work. */
function keptOf(context: Context, outcome: PlanOutcome, signal: AbortSignal | undefined): string | undefined {
  if (outcome.kind === 'passed') return undefined;
  if (outcome.kind === 'failed') return outcome.best.kept;
  const { run, said, waiting, reason, best } = outcome;
  const isHeld = waiting.some(({ status }) => status === 'open') && reason !== 'too_many_rounds';
  if (signal?.aborted || isHeld) return undefined;
  return said.trim() === '' ? best?.kept : keepAnswer(context, run, said);
}
