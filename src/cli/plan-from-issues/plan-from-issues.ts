import { readFileSync, statSync } from 'node:fs';
import type { PipeConversation } from '../../channels/pipe/pipe-conversation.ts';
import { parseMilliseconds } from '../../config/duration.ts';
import { readAnswersFile } from '../../plan/from-issues/questions.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import type { Context } from '../../work/context.ts';
import type { GivenAnswers } from '../../work/kinds/plan-from-issues/known.ts';
import { beginPlanFromIssues, questionsAbout } from '../../work/kinds/plan-from-issues/plan-from-issues.ts';
import type { SourcedIssues } from '../../work/kinds/plan-from-issues/read-issues.ts';
import type { AskedQuestion } from '../../work/kinds/plan-from-issues/store-questions.ts';
import type { CommandContext } from '../command-context.ts';
import { appContextOf } from '../context.ts';
import { readFlaggedIssues } from '../issues/source.ts';
import { lineView } from '../line-view.ts';
import { printJson } from '../output.ts';
import { openPipe, refuseAgent } from '../pipe.ts';
import { askInTerminal, pipeItems } from './ask.ts';
import type { PlanFromIssuesOptions } from './options.ts';
import { reportPlanned } from './report.ts';
import { updateIssues } from './update-issues.ts';

/** From issues to an audited plan: read them, ask what they leave open, have the agent write the plan. */
export async function planFromIssues(
  context: CommandContext,
  flags: PlanFromIssuesOptions,
  usesPipe: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { again: planAgain, maxIterations: maxAttempts, answersFile, ...options } = flags;
  if (usesPipe || answersFile !== undefined) refuseAgent(context);
  const timeoutMs = parseMilliseconds(options.timeout, '--timeout');
  const given = answersFile === undefined ? undefined : givenAnswers(answersFile);
  const wanted = { ...options, planAgain, maxAttempts, given, timeoutMs, signal };
  const view = lineView();
  const appContext = { ...appContextOf(context, options), report: view.report };
  let pipe: PipeConversation | undefined;
  const ask = (asked: AskedQuestion[]): Promise<boolean> => {
    if (!usesPipe) return askInTerminal(context, asked, options.fromFile === '-', signal);
    const items = pipeItems(asked);
    pipe = openPipe(context, items);
    return pipe.askAll(items, signal);
  };
  try {
    const source = await readFlaggedIssues(appContext, flags, signal);
    if (options.questionsOnly) return await printQuestions(context, appContext, source, wanted);
    if (options.updateIssues && source.repo === undefined)
      throw new FermataError('invalid', '--update-issues needs a GitHub repository. Pass --repo OWNER/NAME.');
    const { carryOut } = await beginPlanFromIssues(appContext, source, { ...wanted, ask });
    const planned = await carryOut().finally(view.close);
    await reportPlanned(appContext, planned, options, usesPipe);
    if (!options.updateIssues || source.repo === undefined || planned.outcome?.kind !== 'passed') return;
    const covered = source.issues.filter(({ number }) => planned.issues.includes(number));
    await updateIssues(source.repo, covered, planned.questions, signal);
  } finally {
    view.close();
    await pipe?.close();
  }
}

/** Both passes use the same ids for the same questions. */
async function printQuestions(
  context: CommandContext,
  appContext: Context,
  source: SourcedIssues,
  options: Parameters<typeof questionsAbout>[2],
): Promise<void> {
  const project = await context.knownProject();
  const { toAsk, resolved } = await questionsAbout(appContext, source, options, project?.id);
  await printJson({
    issues: source.issues.map(({ number }) => number),
    questions: toAsk.filter(({ given }) => !given).map(({ question }) => question),
    decided: resolved.flatMap(({ question: { id, question }, resolution }) =>
      resolution.kind === 'decided' ? [{ id, question, ...resolution }] : [],
    ),
    assumptions: resolved.flatMap(({ question: { id, question, issues, assumed }, resolution }) =>
      resolution.kind === 'assumed' ? [{ id, question, issues, assumption: assumed, ...resolution }] : [],
    ),
  });
}

const MAX_FILE_SIZE = 16 * 1024 * 1024;

/** Reads the file that `--answers-file` names. */
function givenAnswers(file: string): GivenAnswers {
  try {
    if (statSync(file).size > MAX_FILE_SIZE)
      throw new FermataError('invalid', `${file} is larger than 16 MB.`);
    return { file, answers: readAnswersFile(readFileSync(file, 'utf8'), file) };
  } catch (error) {
    if (error instanceof FermataError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      const advice = `"${cmd`plan-from-issues --questions-only`}" prints the questions to fill in.`;
      throw new FermataError('invalid', `Answers file ${file} not found. ${advice}`, { cause: error });
    }
    throw new FermataError('invalid', `Cannot read ${file}: ${(error as Error).message}.`, { cause: error });
  }
}
