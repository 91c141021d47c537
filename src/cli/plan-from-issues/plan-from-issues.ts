import type { PipeConversation } from '../../channels/pipe/pipe-conversation.ts';
import { parseDuration } from '../../config/duration.ts';
import { refuseUnusableFolder } from '../../planning/plan-folder.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import { chooseAgent } from '../agents/choose.ts';
import { exit } from '../exit.ts';
import { printJson, tell } from '../output.ts';
import { openPipe } from '../pipe.ts';
import type { Session } from '../session.ts';
import { askInTerminal, outcomes, pipeItems } from './ask.ts';
import { type Gathered, gather } from './gather.ts';
import type { PlanFromIssuesOptions } from './options.ts';
import {
  type AskedQuestion,
  settledBefore,
  sortQuestions,
  storeQuestions,
  tellDecided,
} from './questions.ts';
import { reportFailed, reportWritten, tellOpen } from './report.ts';
import { updateIssues } from './update-issues.ts';
import { planFolder, writePlan } from './write-plan.ts';

/** From issues to an audited plan: read, ask what they leave open, let the agent write. */
export async function planFromIssues(
  session: Session,
  options: PlanFromIssuesOptions,
  usesPipe: boolean,
): Promise<void> {
  const timeoutMs = parseDuration(options.timeout, '--timeout') * 1000;
  const gathered = await gather(options, session.settings.project.value.root);
  if (options.questionsOnly) return printQuestions(session, gathered, options);
  if (options.updateIssues && gathered.repo === undefined) {
    throw new FermataError('invalid', '--update-issues needs a repository on GitHub: --repo OWNER/NAME.');
  }
  const output = planFolder(session.settings.project.value.root, gathered.name, options.output);
  refuseUnusableFolder(output, true);
  const agent = await chooseAgent(session, options, { cwd: process.cwd(), mustAsk: false, timeoutMs });
  const probe = await agent.driver.probe(agent.setup);
  if (!probe.found) return refuseAgent(probe.message, options);
  const project = await session.project();
  const { resolved, toAsk } = await sortQuestions(
    session,
    project.id,
    gathered.questions,
    await settledBefore(session, project.id, gathered.asker),
    options,
  );
  tellDecided(resolved);
  const asked = await storeQuestions(session, project.id, gathered.asker, toAsk);
  const stop = new AbortController();
  const pipe = usesPipe ? openPipe(session, pipeItems(asked)) : undefined;
  try {
    if (!(await ask(session, asked, pipe, options, stop))) return interrupted();
    const now = await outcomes(session, asked);
    const all = { output, issues: gathered.issues.map(({ number }) => number), open: now.open };
    if (options.requireAnswers && now.open.length > 0) return requireAnswers(now.open);
    const known = [...now.resolved, ...resolved];
    const attempted = await writePlan(session, project.id, gathered, known, output, agent, stop);
    if (attempted.kind !== 'passed')
      return await reportFailed(attempted, stop.signal.aborted, options.format);
    await deliver(session, now.settled);
    await reportWritten({ ...all, resolved: known }, attempted, options.format);
    tellOpen(now.open);
    if (now.open.length > 0 && !pipe) process.exitCode = exit.waiting;
    if (options.updateIssues && gathered.repo !== undefined) {
      await updateIssues(gathered.repo, gathered.issues, known, stop.signal);
    }
  } finally {
    await pipe?.close();
  }
}

/** Both passes know the same questions by the same ids. */
async function printQuestions(
  session: Session,
  gathered: Gathered,
  options: PlanFromIssuesOptions,
): Promise<void> {
  const project = await session.knownProject();
  const { resolved, toAsk } = await sortQuestions(
    session,
    project?.id ?? '',
    gathered.questions,
    new Set(),
    options,
  );
  await printJson({
    issues: gathered.issues.map(({ number }) => number),
    questions: toAsk.filter(({ given }) => !given).map(({ question }) => question),
    decided: resolved.flatMap(({ question: { id, question }, resolution }) =>
      resolution.kind === 'decided' ? [{ id, question, ...resolution }] : [],
    ),
    assumptions: resolved.flatMap(({ question: { id, question, issues, assumed }, resolution }) =>
      resolution.kind === 'assumed' ? [{ id, question, issues, assumption: assumed, ...resolution }] : [],
    ),
  });
}

async function ask(
  session: Session,
  asked: AskedQuestion[],
  pipe: PipeConversation | undefined,
  { fromFile }: PlanFromIssuesOptions,
  stop: AbortController,
): Promise<boolean> {
  const interrupt = () => stop.abort('interrupted');
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    if (pipe) return await pipe.askAll(stop.signal);
    return await askInTerminal(session, asked, fromFile === '-', stop.signal);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** The plan holds the outcomes: only now has the asker got them. */
async function deliver({ ledger, by }: Session, settled: Notification[]): Promise<void> {
  for (const { projectId, id } of settled) {
    await ledger.notifications.markDelivered(projectId, id, by('command'));
  }
}

function interrupted(): void {
  tell('fermata: Interrupted. What was answered is stored; the same command goes on with the rest.');
  process.exitCode = exit.interrupted;
}

function requireAnswers(open: Notification[]): void {
  tellOpen(open);
  throw new FermataError('waiting', 'No plan was written: --require-answers, and questions are open.');
}

async function refuseAgent(message: string, { format }: PlanFromIssuesOptions): Promise<void> {
  tell(`fermata: ${message}`);
  if (format === 'json') await printJson({ error: { code: 'missing', message } });
  process.exitCode = exit.agent;
}
