import type { PlanOutcome } from '../../assignments/write-plan.ts';
import { optionsInALine } from '../../channels/present.ts';
import { totalUsage } from '../../plan/convert/attempt.ts';
import { issueLine } from '../../plan/convert/previous-issues.ts';
import {
  answerText,
  assumed,
  type ResolvedQuestion,
  withAnswer,
} from '../../plan/from-issues/resolved-question.ts';
import type { SortedQuestions } from '../../plan/from-issues/sort-questions.ts';
import { cmd } from '../../schema/command-line.ts';
import { counted } from '../../schema/counted.ts';
import type { Notification } from '../../schema/notification.ts';
import { failureLine, howToResume } from '../attempt-view.ts';
import { exit } from '../exit.ts';
import { tellNextSteps } from '../next-steps.ts';
import { print, printJson, tell } from '../output.ts';
import type { AskedQuestion } from './store-questions.ts';

export interface Outcome {
  output: string;
  issues: number[];
  resolved: ResolvedQuestion[];
  open: Notification[];
}

/** How many are asked, and what is used again: that is never done silently. */
export function tellCounts({ resolved, toAsk }: SortedQuestions): void {
  const decided = resolved.filter(({ resolution }) => resolution.kind === 'decided').length;
  const counts = [
    counted(toAsk.length, 'question'),
    ...(decided > 0 ? [`${decided} already decided`] : []),
    ...(resolved.length > decided ? [`${resolved.length - decided} not asked`] : []),
  ];
  tell(`${counts.join(', ')}.`);
  for (const { question, resolution } of resolved) {
    if (resolution.kind !== 'decided') continue;
    const { answer, by, at } = resolution;
    tell(
      `Already decided by ${by} on ${at.slice(0, 10)}: ${question.question} → ${answerText(answer)} (to override it, answer ${question.id} in an answers file)`,
    );
  }
}

/** Those that were answered before the last start was broken off, or by an answers file. */
export function tellSettled(asked: AskedQuestion[]): void {
  const settled = asked.filter(({ notification }) => notification.status !== 'open').length;
  if (settled > 0) tell(`${settled} of them already answered.`);
}

/** The plan is written: what is in it, and what is still open. */
export async function reportWritten(
  { output, issues, resolved, open }: Outcome,
  attempted: Extract<PlanOutcome, { kind: 'passed' }>,
  format: 'text' | 'json',
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
  tellNextSteps(output);
}

/** No plan came out of it; the folder is as it was. */
export async function reportFailed(
  attempted: Exclude<PlanOutcome, { kind: 'passed' }>,
  { resolved, open }: { resolved: ResolvedQuestion[]; open: Notification[] },
  isInterrupted: boolean,
  format: 'text' | 'json',
): Promise<void> {
  if (attempted.kind === 'failed') for (const issue of attempted.best.issues) tell(issueLine(issue));
  const kept = attempted.best ? ` The best attempt is kept in ${attempted.best.kept}.` : '';
  const { code, message, exitCode } = isInterrupted
    ? { code: 'interrupted', message: 'Interrupted.', exitCode: exit.interrupted }
    : attempted.kind === 'stopped'
      ? { code: attempted.reason, message: attempted.message, exitCode: exit.agent }
      : {
          code: 'audit_failed',
          message: failureLine(attempted.attempts),
          exitCode: exit.failed,
        };
  const stored =
    withAnswer(resolved).length > 0
      ? ' Your answers are stored. Run the same command again to continue.'
      : howToResume(attempted.run);
  const text = `${message}${kept}${stored}`;
  tell(`fermata: ${text}`);
  tellOpen(open);
  if (format === 'json') await printJson({ error: { code, message: text } });
  process.exitCode = exitCode;
}

/** How what is open can still be answered. */
export function tellOpen(open: Notification[]): void {
  if (open.length === 0) return;
  const lines = open.flatMap(({ id, questions: [question] }) => [
    `  ${cmd`answer ${id} VALUE`}    ${question?.text ?? ''}`,
    ...(question?.options ? [`    ${optionsInALine(question)}`] : []),
  ]);
  tell(`${counted(open.length, 'open question')}. Answer at any time:\n${lines.join('\n')}`);
  tell('Then run the same command again to use the answers.');
}
