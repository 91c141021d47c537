import { optionsInALine } from '../../channels/present.ts';
import { failureLine, totalUsage } from '../../plan/convert/attempt.ts';
import { issueLine } from '../../plan/convert/prompt.ts';
import { assumed, withAnswer } from '../../plan/from-issues/questions.ts';
import { cmd } from '../../schema/command-line.ts';
import { counted } from '../../schema/counted.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import type { SaidAgent } from '../../work/agent/choose-agent.ts';
import type { Context } from '../../work/context.ts';
import type { PlanOutcome } from '../../work/kinds/plan-answer.ts';
import type { PlannedIssues } from '../../work/kinds/plan-from-issues/plan-from-issues.ts';
import { howToResume } from '../attempt-view.ts';
import { exit } from '../exit.ts';
import { tellNextSteps } from '../next-steps.ts';
import { print, printJson, tell } from '../output.ts';
import { settlePlan } from '../settle-plan.ts';

/** Prints the result, and sets the exit code. */
export async function reportPlanned(
  context: Context,
  planned: PlannedIssues,
  options: { format: 'text' | 'json' } & SaidAgent,
  usesPipe: boolean,
): Promise<void> {
  const { outcome, open, result } = planned;
  if (outcome === undefined && result === 'interrupted') {
    tell('fermata: Interrupted. Your answers are stored. Run the same command again to continue.');
    process.exitCode = exit.interrupted;
  } else if (outcome === undefined) {
    tellOpen(open);
    throw new FermataError('waiting', 'No plan was written because questions are open (--require-answers).');
  } else if (outcome.kind === 'passed') {
    await reportWritten(context, planned, outcome, options);
    tellOpen(open);
    if (open.length > 0 && !usesPipe) process.exitCode = exit.waiting;
  } else await reportFailed(planned, outcome, options.format);
}

/** The plan is written: what it contains, and what is still open. */
async function reportWritten(
  context: Context,
  { output, issues, questions: resolved, open }: PlannedIssues,
  attempted: Extract<PlanOutcome, { kind: 'passed' }>,
  { format, ...said }: { format: 'text' | 'json' } & SaidAgent,
): Promise<void> {
  const { attempts, files, backup } = attempted;
  const usage = totalUsage(attempts);
  if (format === 'json') {
    await printJson({
      output,
      files,
      issues,
      questions: resolved.map(({ question, resolution }) => ({
        id: question.id,
        question: question.question,
        issues: question.issues,
        ...resolution,
        ...(resolution.kind === 'assumed' ? { assumption: question.assumed } : {}),
      })),
      open: open.map(({ id }) => id),
      audited: true,
      iterations: attempts.length,
      warnings: attempted.issues,
      ...(backup ? { backup } : {}),
      usage,
    });
    return;
  }
  await print(`${output}\n${files.map((name) => `  ${name}`).join('\n')}`);
  if (backup) tell(`The previous plan is kept in ${backup}.`);
  tell(
    `The plan passed the audit. It uses ${counted(withAnswer(resolved).length, 'answer')} and ${counted(assumed(resolved).length, 'assumption')}; ` +
      `${counted(attempts.length, 'attempt')}, ${usage.inputTokens} tokens in, ${usage.outputTokens} out.`,
  );
  await settlePlan(context, output);
  tellNextSteps(output, said);
}

/** There is no plan, and the folder is unchanged. */
async function reportFailed(
  { result, questions, open }: PlannedIssues,
  attempted: Exclude<PlanOutcome, { kind: 'passed' }>,
  format: 'text' | 'json',
): Promise<void> {
  if (attempted.kind === 'failed') for (const issue of attempted.best.issues) tell(issueLine(issue));
  const kept = attempted.best ? ` The best attempt is kept in ${attempted.best.kept}.` : '';
  const { code, message, exitCode } =
    result === 'interrupted'
      ? { code: 'interrupted', message: 'Interrupted.', exitCode: exit.interrupted }
      : attempted.kind === 'stopped'
        ? { code: attempted.reason, message: attempted.message, exitCode: exit.agent }
        : {
            code: 'audit_failed',
            message: failureLine(attempted.attempts),
            exitCode: exit.failed,
          };
  const stored =
    withAnswer(questions).length > 0
      ? ' Your answers are stored. Run the same command again to continue.'
      : howToResume(attempted.run);
  const text = `${message}${kept}${stored}`;
  tell(`fermata: ${text}`);
  tellOpen(open);
  if (format === 'json') await printJson({ error: { code, message: text } });
  process.exitCode = exitCode;
}

/** How to answer what is still open. */
function tellOpen(open: Notification[]): void {
  if (open.length === 0) return;
  const lines = open.flatMap(({ id, questions: [question] }) => [
    `  ${cmd`answer ${id} VALUE`}    ${question?.text ?? ''}`,
    ...(question?.options ? [`    ${optionsInALine(question)}`] : []),
  ]);
  tell(`${counted(open.length, 'open question')}. Answer at any time:\n${lines.join('\n')}`);
  tell('Then run the same command again to use the answers.');
}
