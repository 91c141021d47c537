import { basename, join } from 'node:path';
import { MAX_QUESTIONS } from '../../../issues/gaps/analyze.ts';
import { checkIssues, type IssueInput } from '../../../issues/issue.ts';
import { shortHash } from '../../../ledger/tasks/short-hash.ts';
import { previousIssuesSection } from '../../../plan/convert/prompt.ts';
import { completeMaster, planOrigin } from '../../../plan/from-issues/complete-master.ts';
import { planFromIssuesPrompt } from '../../../plan/from-issues/prompt.ts';
import type { SortedQuestions } from '../../../plan/from-issues/questions.ts';
import {
  answerText,
  earlierAnswer,
  howToChange,
  type ResolvedQuestion,
} from '../../../plan/from-issues/questions.ts';
import { namedIssues } from '../../../plan/grammar/plan.ts';
import { readPlan } from '../../../plan/grammar/read-plan.ts';
import { refuseUnusableFolder } from '../../../plan/plan-folder.ts';
import { readOwnTemplates } from '../../../plan/templates/templates.ts';
import type { Notification } from '../../../schema/notification.ts';
import { withDefaultTimes } from '../../agent/agent-times.ts';
import { type AgentOptions, agentOptions, chooseAgent, requireAgent } from '../../agent/choose-agent.ts';
import type { Context } from '../../context.ts';
import { attendTask } from '../../run/attend-task.ts';
import { templateContents } from '../../trust/gather.ts';
import { requireAgentTrust, type TrustOptions } from '../../trust/require-trust.ts';
import { planTaskName } from '../../worker/task-names.ts';
import { storedPath } from '../../worker/worker-path.ts';
import { analysisMode, analystContents, analyze } from '../analyze.ts';
import type { Begun } from '../begun.ts';
import { closePlan, type WrittenPlan, writePlan } from '../write-plan.ts';
import { askAbout, outcomes } from './ask.ts';
import { type GatherOptions, gather, questionsOf, refuseUnusable, reportCut } from './gather.ts';
import { type GivenAnswers, sortByKnown } from './known.ts';
import { planOutput } from './plan-output.ts';
import type { SourcedIssues } from './read-issues.ts';
import { type AskedQuestion, storeQuestions } from './store-questions.ts';

export interface PlanFromIssuesOptions extends TrustOptions, Partial<AgentOptions>, GatherOptions {
  /** How many questions to ask at most; the rest become assumptions. */
  maxQuestions?: number;
  maxAttempts?: number;
  /** Whether to write no plan while a question is open. */
  requireAnswers?: boolean;
  given?: GivenAnswers;
  /** How long the agent may work on each attempt. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Asks a person what the issues leave open (default: as the context asks). False if interrupted. */
  ask?(asked: AskedQuestion[]): Promise<boolean>;
}

export interface PlannedIssues extends Omit<WrittenPlan, 'outcome'> {
  /** Undefined if an answer has to come first. */
  outcome?: WrittenPlan['outcome'];
  /** The numbers of the issues that the plan covers. */
  issues: number[];
  questions: ResolvedQuestion[];
  /** What nobody has answered yet. */
  open: Notification[];
}

const defaults = { agent: 'claude', maxAttempts: 3 } as const;

/**
 * Turns issues into an audited plan: asks what they leave open, then has an agent write the plan. Answered questions are
 * never asked again. Called again with the same issues after a crash, it resumes.
 *
 * @example const { result, open } = await planFromIssues(context, { from: 'tracker', issues }, { agent: 'codex' });
 */
export async function planFromIssues(
  context: Context,
  source: Omit<SourcedIssues, 'issues'> & { issues: IssueInput[] },
  options: PlanFromIssuesOptions = {},
): Promise<PlannedIssues> {
  const issues = checkIssues(source.issues, source.from);
  return (await beginPlanFromIssues(context, { ...source, issues }, options)).carryOut();
}

/** Everything before the first question. */
export async function beginPlanFromIssues(
  context: Context,
  source: SourcedIssues,
  options: PlanFromIssuesOptions,
): Promise<Begun<PlannedIssues>> {
  const { ledger, settings, cwd } = context;
  const { maxAttempts = defaults.maxAttempts, maxQuestions = MAX_QUESTIONS, given } = options;
  const { timeoutMs } = withDefaultTimes(options);
  refuseUnusable(source);
  const gathered = gather(context, source, options);
  reportCut(context, gathered);
  const output = planOutput(context, gathered.name, options.output);
  refuseUnusableFolder(output, true);
  const wanted = agentOptions({ ...options, agent: options.agent ?? defaults.agent });
  const agent = await chooseAgent(context, wanted, { cwd, mustAsk: false, timeoutMs });
  await requireAgent(agent.driver, agent.setup);
  const own = readOwnTemplates(settings.project.value.root, 'plan-from-issues');
  const prompts = [...templateContents(own), ...analystContents(settings.project.value.root)];
  await requireAgentTrust(context, cwd, options, prompts);
  const { id: projectId } = await context.project();
  const name = planTaskName('plan_from_issues', basename(output));
  const input = inputOf(context, source, output);

  const perform = async (signal: AbortSignal): Promise<PlannedIssues> => {
    const mode = given ? 'rules' : analysisMode(settings, agent.driver);
    const judged =
      mode === 'rules' ? undefined : await analyze(context, source, { agent, stack: gathered.stack, signal });
    const found = {
      questions: questionsOf(context, gathered, judged, mode === 'both'),
      asker: gathered.asker,
    };
    const sorted = await sortByKnown(context, projectId, found, given, maxQuestions);
    context.report({ kind: 'questions', ...sorted });
    const asked = await storeQuestions(context, projectId, gathered.asker, sorted.toAsk);
    reportSettled(context, asked);
    const isThrough = await (options.ask?.(asked) ?? askAbout(context, gathered.name, asked, signal));
    const { resolved, open, settled } = await outcomes(context, asked);
    const questions = [...resolved, ...sorted.resolved];
    const known = { output, issues: [], questions, open };
    if (!isThrough) return { ...known, result: 'interrupted' };
    if (options.requireAnswers && open.length > 0) return { ...known, result: 'waiting' };
    const origin = planOrigin(gathered, questions);
    await ledger.tasks.keepResult(projectId, name.id, 'plan_from_issues', origin);
    const hilConfig = await ledger.projects.hilConfig(projectId);
    const requestFor = (resolved: ResolvedQuestion[]) =>
      planFromIssuesPrompt({ ...gathered, hilConfig, own, resolved });
    const about = shortHash('issues', input.plan, gathered.issues, answersOf(questions), wanted, maxAttempts);
    const request = requestFor(questions);
    const written = await writePlan(context, {
      ...{ ...agent, projectId, output, maxAttempts, signal },
      taskId: name.id,
      sourceId: `${gathered.name}-${about}`,
      work: { for: 'answer', about },
      replace: true,
      attempts: join(settings.home.value, 'projects', projectId, 'attempts', basename(output)),
      questions: 'nobody',
      doing: `${agent.driver.name} is writing the plan`,
      prompt: (previous) => [request, previousIssuesSection(previous)].filter(Boolean).join('\n\n'),
      edit: (files) => completeMaster(files, { ...gathered, resolved: questions }),
    });
    if (written.outcome.kind !== 'passed') return { ...known, ...written };
    // Only now, with the plan written, have the askers received their answers.
    const delivered = settled.map(({ id }) => id);
    await closePlan(context, written.outcome.run, delivered);
    const named = namedIssues(readPlan(output).plan);
    const issues = gathered.issues.map(({ number }) => number).filter((number) => named.has(number));
    return { ...known, ...written, issues, result: open.length > 0 ? 'waiting' : 'done' };
  };
  const work = { kind: 'plan_from_issues' as const, input };
  return { carryOut: () => attendTask(context, { name, work }, options.signal, perform) };
}

/** What is stored of the request; the issues are read again. */
function inputOf(context: Context, { issues, repo, milestone }: SourcedIssues, output: string) {
  const issue = issues.map(({ number }) => number).filter((number) => number > 0);
  return {
    plan: storedPath(context, output),
    ...(issue.length > 0 ? { issue } : {}),
    ...(repo === undefined ? {} : { repo }),
    ...(milestone === undefined ? {} : { milestone }),
  };
}

/** Finds the questions about issues without storing anything. */
export async function questionsAbout(
  context: Context,
  source: SourcedIssues,
  { given, maxQuestions = MAX_QUESTIONS, ...options }: PlanFromIssuesOptions,
  projectId: string | undefined,
): Promise<SortedQuestions> {
  const questions = questionsOf(context, gather(context, source, options));
  return sortByKnown(context, projectId ?? '', { questions }, given, maxQuestions);
}

/** Reports questions that were answered before an interrupted start. */
function reportSettled({ report }: Context, asked: AskedQuestion[]): void {
  const settled = asked.filter(({ notification }) => notification.status !== 'open');
  if (settled.length === 0) return;
  const lines = settled.map(({ question, notification: { id, status, responses } }) => {
    const answers = responses.map((each) => (each.kind === 'answered' ? answerText(each.answer) : each.kind));
    return `  ${earlierAnswer(question, answers.join('; ') || status, id)}`;
  });
  const text = [`${settled.length} of them already answered:`, ...lines, howToChange()].join('\n');
  report({ kind: 'notice', text });
}

/** What is decided about each question, whoever decided it and when. */
const answersOf = (resolved: ResolvedQuestion[]) =>
  resolved
    .map(({ question, resolution }) => [question.id, 'answer' in resolution ? resolution.answer : null])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
