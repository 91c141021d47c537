import type { RunEnd } from '../../agents/driver.ts';
import { optionsInALine } from '../../channels/present.ts';
import { type Attempted, totalUsage } from '../../planning/convert/attempt-plan.ts';
import { issueLine } from '../../planning/convert/previous-issues.ts';
import {
  answerText,
  assumed,
  type ResolvedQuestion,
  withAnswer,
} from '../../planning/from-issues/resolved-question.ts';
import type { SortedQuestions } from '../../planning/from-issues/sort-questions.ts';
import type { Notification } from '../../schema/notification.ts';
import { failureLine } from '../attempt-view.ts';
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
    `${toAsk.length} question(s)`,
    ...(decided > 0 ? [`${decided} decided before`] : []),
    ...(resolved.length > decided ? [`${resolved.length - decided} not asked`] : []),
  ];
  tell(`${counts.join(', ')}.`);
  for (const { question, resolution } of resolved) {
    if (resolution.kind !== 'decided') continue;
    const { answer, by, at } = resolution;
    tell(
      `Decided before by ${by} on ${at.slice(0, 10)}: ${question.question} → ${answerText(answer)} (an answers file overrules it: ${question.id})`,
    );
  }
}

/** Those that were answered before the last start was broken off, or by an answers file. */
export function tellSettled(asked: AskedQuestion[]): void {
  const settled = asked.filter(({ notification }) => notification.status !== 'open').length;
  if (settled > 0) tell(`${settled} of them answered already.`);
}

/** The plan is written: what is in it, and what is still open. */
export async function reportWritten(
  { output, issues, resolved, open }: Outcome,
  attempted: Extract<Attempted<RunEnd>, { kind: 'passed' }>,
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
  if (backup) tell(`The plan that was there is kept in ${backup}.`);
  tell(
    `Written and audited: ${withAnswer(resolved).length} answer(s), ${assumed(resolved).length} assumption(s) in it; ` +
      `${attempts.length} attempt(s), ${usage.inputTokens} tokens in, ${usage.outputTokens} out.`,
  );
  tellNextSteps(output);
}

/** No plan came out of it; the folder is as it was. */
export async function reportFailed(
  attempted: Exclude<Attempted<RunEnd>, { kind: 'passed' }>,
  { resolved, open }: { resolved: ResolvedQuestion[]; open: Notification[] },
  isInterrupted: boolean,
  format: 'text' | 'json',
): Promise<void> {
  if (attempted.kind === 'failed') for (const issue of attempted.best.issues) tell(issueLine(issue));
  const kept = attempted.best ? ` The best attempt is kept in ${attempted.best.kept}.` : '';
  const { code, message, exitCode } = isInterrupted
    ? { code: 'interrupted', message: 'Interrupted.', exitCode: exit.interrupted }
    : attempted.kind === 'stopped'
      ? { code: attempted.stopped.reason, message: attempted.stopped.message, exitCode: exit.agent }
      : {
          code: 'audit_failed',
          message: failureLine(attempted.attempts),
          exitCode: exit.failed,
        };
  const stored =
    withAnswer(resolved).length > 0 ? ' Your answers are stored: the same command goes on with them.' : '';
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
    `  fermata answer ${id} VALUE    ${question?.text ?? ''}`,
    ...(question?.options ? [`    ${optionsInALine(question)}`] : []),
  ]);
  tell(`${open.length} question(s) are open and can be answered at any time:\n${lines.join('\n')}`);
  tell('The same command takes the answers up.');
}
