import type { RunEnd } from '../../agents/driver.ts';
import type { Issue } from '../../planning/audit/issue.ts';
import { type Attempted, totalUsage } from '../../planning/convert/attempt-plan.ts';
import { failureLine, tellIssues } from '../attempt-view.ts';
import type { CommonOptions } from '../command.ts';
import { exit } from '../exit.ts';
import { keepAnswer } from '../keep-answer.ts';
import { tellNextSteps } from '../next-steps.ts';
import { print, printJson, tell } from '../output.ts';
import type { Session } from '../session.ts';
import type { DraftAttempts, Stopped } from './attempts.ts';
import type { DraftData } from './draft-run.ts';

/** What became of a draft, told apart: written, waiting for a person, broken off, failed. */
export async function finishDraft(
  session: Session,
  attempted: Attempted<Stopped>,
  { run, rounds }: DraftAttempts,
  data: DraftData,
  options: CommonOptions,
  interrupted: boolean,
): Promise<void> {
  const iterations = attempted.attempts.length;
  switch (attempted.kind) {
    case 'passed': {
      const { files, issues } = attempted;
      const usage = totalUsage(attempted.attempts);
      const told = { run, output: data.output, files, audited: true, iterations, rounds, usage, issues };
      return options.format === 'json' ? printJson(told) : show(told);
    }
    case 'failed': {
      const { best, attempts } = attempted;
      tellIssues('What is wrong with the best attempt:', best.issues);
      const message = `${failureLine(attempts)} The best one is kept in ${best.kept}: correct it, or draft again.`;
      return stop(options, run, 'audit_failed', message, exit.failed, best.kept);
    }
    case 'stopped':
      return stopped(session, attempted.stopped, attempted.best?.kept, options, interrupted);
  }
}

async function show(told: {
  output: string;
  files: string[];
  iterations: number;
  rounds: number;
  usage: { inputTokens: number; outputTokens: number };
  issues: Issue[];
}): Promise<void> {
  await print([told.output, ...told.files.map((name) => `  ${name}`)].join('\n'));
  tellIssues('The audit warns:', told.issues);
  const { inputTokens, outputTokens } = told.usage;
  tell(
    `Written, and passed the audit at attempt ${told.iterations}. ${told.rounds} round(s) of questions; ${inputTokens} tokens in, ${outputTokens} out.`,
  );
  tellNextSteps(told.output);
}

async function stopped(
  session: Session,
  { last: { run, end, waiting } }: Stopped,
  best: string | undefined,
  options: CommonOptions,
  interrupted: boolean,
): Promise<void> {
  const goesOn = `"fermata draft --resume ${run.id}" goes on.`;
  const open = waiting.find((notification) => notification.status === 'open');
  if (interrupted) {
    const message = `Interrupted. Nothing is lost: ${goesOn}`;
    return stop(options, run.id, 'interrupted', message, exit.interrupted);
  }
  if (open) {
    const how = `Answer ${open.id} with "fermata answer ${open.id} VALUE"; then ${goesOn}`;
    return stop(options, run.id, 'waiting', `${end.message} ${how}`, exit.waiting);
  }
  const kept = end.text.trim() === '' ? best : keepAnswer(session, run, end.text);
  const said = kept ? ` What there is is kept in ${kept}.` : '';
  const again = waiting.length > 0 ? ` Nothing is lost: ${goesOn}` : '';
  return stop(options, run.id, end.reason, `${end.message}${said}${again}`, exitOf(end), kept);
}

async function stop(
  options: CommonOptions,
  run: string,
  code: string,
  message: string,
  exitCode: number,
  kept?: string,
): Promise<void> {
  tell(`fermata: ${message}`);
  if (options.format === 'json') {
    await printJson({ error: { code, message }, run, ...(kept ? { kept } : {}) });
  }
  process.exitCode = exitCode;
}

function exitOf({ reason }: RunEnd): number {
  return reason === 'too_many_rounds' || reason === 'interrupted' ? exit.failed : exit.agent;
}
