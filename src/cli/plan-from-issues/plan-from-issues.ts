import { basename, join } from 'node:path';
import { agentOptions, chooseAgent } from '../../app/choose-agent.ts';
import { closeAssignment } from '../../assignments/execute.ts';
import type { PlanOutcome } from '../../assignments/write-plan.ts';
import type { PipeConversation } from '../../channels/pipe/pipe-conversation.ts';
import { parseMilliseconds } from '../../config/duration.ts';
import { planOrigin } from '../../plan/from-issues/plan-origin.ts';
import type { ResolvedQuestion } from '../../plan/from-issues/resolved-question.ts';
import { sortQuestions } from '../../plan/from-issues/sort-questions.ts';
import { namedIssues } from '../../plan/grammar/named-issues.ts';
import { readPlan } from '../../plan/grammar/read-plan.ts';
import { refuseUnusableFolder } from '../../plan/plan-folder.ts';
import { readOwnTemplates } from '../../plan/templates/own-templates.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import { broughtTemplates } from '../../work/trust/gather.ts';
import type { CommandContext } from '../command-context.ts';
import { exit } from '../exit.ts';
import { printJson, tell } from '../output.ts';
import { openPipe, refuseAgent } from '../pipe.ts';
import { requireAgentTrust } from '../trust/agent-trust.ts';
import { askInTerminal, outcomes, pipeItems } from './ask.ts';
import { type Gathered, gather } from './gather.ts';
import { gatherKnown, settledBefore } from './known.ts';
import type { PlanFromIssuesOptions } from './options.ts';
import { planOutput } from './plan-output.ts';
import { reportFailed, reportWritten, tellCounts, tellOpen, tellSettled } from './report.ts';
import { storeQuestions } from './store-questions.ts';
import { updateIssues } from './update-issues.ts';
import { writePlan } from './write-plan.ts';

/** From issues to an audited plan: read, ask what they leave open, let the agent write. */
export async function planFromIssues(
  context: CommandContext,
  options: PlanFromIssuesOptions,
  usesPipe: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { home, project: folder } = context.settings;
  if (usesPipe || options.answersFile !== undefined) refuseAgent(context);
  const timeoutMs = parseMilliseconds(options.timeout, '--timeout');
  const gathered = await gather(options, folder.value.root);
  if (options.questionsOnly) return printQuestions(context, gathered, options);
  if (options.updateIssues && gathered.repo === undefined) {
    throw new FermataError('invalid', '--update-issues needs a GitHub repository. Pass --repo OWNER/NAME.');
  }
  const output = planOutput(folder.value.root, gathered.name, options.output);
  refuseUnusableFolder(output, true);
  const agent = await chooseAgent(context, options, { cwd: process.cwd(), mustAsk: false, timeoutMs });
  const probe = await agent.driver.probe(agent.setup);
  if (!probe.found) return tellMissing(probe.message, options);
  const own = readOwnTemplates(folder.value.root, 'plan-from-issues');
  await requireAgentTrust(context, process.cwd(), options, broughtTemplates(own));
  const project = await context.project();
  const { questions, asker } = gathered;
  const said = await gatherKnown(context, project.id, questions, options.answersFile);
  const settledNow = await settledBefore(context, project.id, asker);
  const sorted = sortQuestions(questions, { ...said, settled: settledNow }, options.maxQuestions);
  tellCounts(sorted);
  const asked = await storeQuestions(context, project.id, asker, sorted.toAsk);
  tellSettled(asked);
  const items = pipeItems(asked);
  const pipe = usesPipe ? openPipe(context, items) : undefined;
  try {
    const isThrough = pipe
      ? await pipe.askAll(items, signal)
      : await askInTerminal(context, asked, options.fromFile === '-', signal);
    if (!isThrough) return interrupted();
    const { resolved, open, settled } = await outcomes(context, asked);
    if (options.requireAnswers && open.length > 0) return refuseOpen(open);
    const all = [...resolved, ...sorted.resolved];
    const hilConfig = await context.ledger.projects.hilConfig(project.id);
    const origin = planOrigin(gathered, all);
    await context.ledger.origins.record({ projectId: project.id, plan: basename(output), ...origin });
    const attempts = join(home.value, 'projects', project.id, 'attempts');
    const { maxIterations } = options;
    const { ledger } = context;
    const place = { ledger, projectId: project.id, output, attempts, hilConfig, own, maxIterations };
    const writer = { ...agent, options: agentOptions(options) };
    const attempted = await writePlan(gathered, all, place, writer, signal);
    if (attempted.kind !== 'passed')
      return await reportFailed(attempted, { resolved: all, open }, signal.aborted, options.format);
    await deliver(context, settled);
    await closeAssignment(context, attempted.run);
    await finish(gathered, { output, resolved: all, open }, attempted, pipe, options, signal);
  } finally {
    await pipe?.close();
  }
}

/** Both passes know the same questions by the same ids. */
async function printQuestions(
  context: CommandContext,
  gathered: Gathered,
  options: PlanFromIssuesOptions,
): Promise<void> {
  const project = await context.knownProject();
  const { issues, questions } = gathered;
  const said = await gatherKnown(context, project?.id ?? '', questions, options.answersFile);
  const sorted = sortQuestions(questions, { ...said, settled: new Set() }, options.maxQuestions);
  await printJson({
    issues: issues.map(({ number }) => number),
    questions: sorted.toAsk.filter(({ given }) => !given).map(({ question }) => question),
    decided: sorted.resolved.flatMap(({ question: { id, question }, resolution }) =>
      resolution.kind === 'decided' ? [{ id, question, ...resolution }] : [],
    ),
    assumptions: sorted.resolved.flatMap(({ question: { id, question, issues, assumed }, resolution }) =>
      resolution.kind === 'assumed' ? [{ id, question, issues, assumption: assumed, ...resolution }] : [],
    ),
  });
}

/** The plan holds the outcomes: only now has the asker got them. */
async function deliver({ ledger, by }: CommandContext, settled: Notification[]): Promise<void> {
  for (const { projectId, id } of settled) {
    await ledger.notifications.markDelivered(projectId, id, by('command'));
  }
}

async function finish(
  { issues, repo }: Gathered,
  made: { output: string; resolved: ResolvedQuestion[]; open: Notification[] },
  attempted: Extract<PlanOutcome, { kind: 'passed' }>,
  pipe: PipeConversation | undefined,
  options: PlanFromIssuesOptions,
  signal: AbortSignal,
): Promise<void> {
  const named = namedIssues(readPlan(made.output).plan);
  const covered = issues.filter(({ number }) => named.has(number));
  const numbers = covered.map(({ number }) => number);
  await reportWritten({ ...made, issues: numbers }, attempted, options.format);
  tellOpen(made.open);
  if (made.open.length > 0 && !pipe) process.exitCode = exit.waiting;
  if (options.updateIssues && repo !== undefined) await updateIssues(repo, covered, made.resolved, signal);
}

function interrupted(): void {
  tell('fermata: Interrupted. Your answers are stored. Run the same command again to continue.');
  process.exitCode = exit.interrupted;
}

function refuseOpen(open: Notification[]): never {
  tellOpen(open);
  throw new FermataError('waiting', 'No plan was written because questions are open (--require-answers).');
}

async function tellMissing(message: string, { format }: PlanFromIssuesOptions): Promise<void> {
  tell(`fermata: ${message}`);
  if (format === 'json') await printJson({ error: { code: 'missing', message } });
  process.exitCode = exit.agent;
}
