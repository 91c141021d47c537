import { join } from 'node:path';
import { closeAssignment } from '../../assignments/execute.ts';
import type { PlanOutcome } from '../../assignments/write-plan.ts';
import type { Issue } from '../../plan/audit/issue.ts';
import { totalUsage } from '../../plan/convert/attempt.ts';
import { PROGRESS } from '../../plan/progress/with-progress.ts';
import { cmd } from '../../schema/command-line.ts';
import { counted } from '../../schema/counted.ts';
import type { Run } from '../../schema/run.ts';
import { failureLine, tellIssues } from '../attempt-view.ts';
import type { CommonOptions } from '../command.ts';
import type { CommandContext } from '../command-context.ts';
import { exit } from '../exit.ts';
import { keepAnswer } from '../keep-answer.ts';
import { print, printJson, tell } from '../output.ts';
import type { DraftData } from './draft-run.ts';
import { tellNext } from './tell-next.ts';

/** What became of a draft, told apart: written, waiting for a person, broken off, failed. */
export async function finishDraft(
  context: CommandContext,
  attempted: PlanOutcome,
  data: DraftData,
  options: CommonOptions,
  interrupted: boolean,
): Promise<void> {
  const iterations = attempted.attempts.length;
  const { id: run, data: kept } = attempted.run;
  const rounds = Number(kept.rounds ?? 0);
  switch (attempted.kind) {
    case 'passed': {
      const { files, issues } = attempted;
      await closeAssignment(context, attempted.run);
      const usage = totalUsage(attempted.attempts);
      const progress = data.progress ? { progress: join(data.output, PROGRESS) } : {};
      const told = { run, output: data.output, files, audited: true, iterations, rounds, usage, issues };
      return options.format === 'json' ? printJson({ ...told, ...progress }) : show(told);
    }
    case 'failed': {
      const { best, attempts } = attempted;
      tellIssues('Problems of the best attempt:', best.issues);
      const message = `${failureLine(attempts)} The best one is kept in ${best.kept}: correct it, or draft again.`;
      return stop(options, run, 'audit_failed', message, exit.failed, best.kept);
    }
    case 'stopped':
      return stopped(context, attempted, data, options, interrupted);
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
    `Written, and passed the audit at attempt ${told.iterations}. ${counted(told.rounds, 'round')} of questions; ${inputTokens} tokens in, ${outputTokens} out.`,
  );
  tellNext(told.output);
}

type StoppedDraft = Extract<PlanOutcome, { kind: 'stopped' }>;

async function stopped(
  context: CommandContext,
  { run, reason, message: why, waiting, said, best: bestAttempt }: StoppedDraft,
  { progress }: DraftData,
  options: CommonOptions,
  interrupted: boolean,
): Promise<void> {
  const best = bestAttempt?.kept;
  const goesOn = `"${progress ? `rslph plan --resume ${run.id}` : cmd`draft --resume ${run.id}`}" continues.`;
  const open = waiting.find((notification) => notification.status === 'open');
  if (interrupted) {
    const message = `Interrupted. Nothing is lost: ${goesOn}`;
    return stop(options, run.id, 'interrupted', message, exit.interrupted);
  }
  if (open) {
    const isLast = reason === 'too_many_rounds';
    const kept = isLast ? keptSoFar(context, run, said, best) : undefined;
    const how = `${where(kept)} Answer ${open.id} with "${cmd`answer ${open.id} VALUE`}"; then ${goesOn}`;
    return stop(options, run.id, isLast ? reason : 'waiting', `${why}${how}`, exit.waiting, kept);
  }
  const kept = keptSoFar(context, run, said, best);
  const again = run.status === 'waiting' ? ` Nothing is lost: ${goesOn}` : '';
  return stop(options, run.id, reason, `${why}${where(kept)}${again}`, exitOf(reason), kept);
}

/** What the agent said before it stopped is somebody's work. */
function keptSoFar(
  context: CommandContext,
  run: Run,
  said: string,
  best: string | undefined,
): string | undefined {
  return said.trim() === '' ? best : keepAnswer(context, run, said);
}

const where = (kept: string | undefined) => (kept ? ` What it wrote so far is kept in ${kept}.` : '');

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

function exitOf(reason: string): number {
  // Somebody was quicker to answer the last question than we were to stop: the draft waits to be resumed.
  if (reason === 'too_many_rounds') return exit.waiting;
  return reason === 'interrupted' ? exit.failed : exit.agent;
}
