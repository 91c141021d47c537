import { join } from 'node:path';
import type { Issue } from '../../plan/audit/rule.ts';
import { totalUsage } from '../../plan/convert/attempt.ts';
import { PROGRESS } from '../../plan/progress/progress-from-plan.ts';
import { cmd } from '../../schema/command-line.ts';
import { counted } from '../../schema/counted.ts';
import type { SaidAgent } from '../../work/agent/choose-agent.ts';
import type { Context } from '../../work/context.ts';
import type { Drafted } from '../../work/kinds/draft/draft.ts';
import type { PlanOutcome } from '../../work/kinds/plan-answer.ts';
import { tellIssues } from '../attempt-view.ts';
import type { CommonOptions } from '../command.ts';
import { exit } from '../exit.ts';
import { print, printJson, tell } from '../output.ts';
import { settlePlan } from '../settle-plan.ts';
import { tellNext } from './tell-next.ts';

/** The outcome of a draft: written, waiting for a person, interrupted, failed. */
export async function finishDraft(
  context: Context,
  drafted: Drafted,
  options: CommonOptions & SaidAgent,
): Promise<void> {
  const { outcome, data, output, kept } = drafted;
  const { id: run, data: stored } = outcome.run;
  const of = { run, task: data.name.id };
  switch (outcome.kind) {
    case 'passed': {
      const { files, issues, attempts } = outcome;
      const rounds = Number(stored.rounds ?? 0);
      const usage = totalUsage(attempts);
      const progress = data.input.progress ? { progress: join(output, PROGRESS) } : {};
      const told = {
        ...of,
        output,
        files,
        audited: true,
        iterations: attempts.length,
        rounds,
        usage,
        issues,
      };
      return options.format === 'json' ? printJson({ ...told, ...progress }) : show(context, told, options);
    }
    case 'failed': {
      tellIssues('Problems in the best attempt:', outcome.best.issues);
      const message = `${drafted.problem} The best one is kept in ${kept}: correct it, or draft again.`;
      return stop(options, of, 'audit_failed', message, exit.failed, kept);
    }
    case 'stopped':
      return stopped(drafted, outcome, options);
  }
}

async function show(
  context: Context,
  told: {
    output: string;
    files: string[];
    iterations: number;
    rounds: number;
    usage: { inputTokens: number; outputTokens: number };
    issues: Issue[];
  },
  said: SaidAgent,
): Promise<void> {
  await print([told.output, ...told.files.map((name) => `  ${name}`)].join('\n'));
  tellIssues('Audit warnings:', told.issues);
  const { inputTokens, outputTokens } = told.usage;
  tell(
    `Written, and passed the audit at attempt ${told.iterations}. ${counted(told.rounds, 'round')} of questions; ${inputTokens} tokens in, ${outputTokens} out.`,
  );
  await settlePlan(context, told.output);
  tellNext(told.output, said);
}

type StoppedDraft = Extract<PlanOutcome, { kind: 'stopped' }>;

async function stopped(
  { result, data: { name, input }, kept }: Drafted,
  { run, reason, message: why, waiting }: StoppedDraft,
  options: CommonOptions,
): Promise<void> {
  const resume = input.progress ? `rslph plan --resume ${name.id}` : cmd`draft --resume ${name.id}`;
  const of = { run: run.id, task: name.id };
  const continueHint = `Continue with: ${resume}`;
  if (result === 'interrupted') {
    const message = `Interrupted. Nothing is lost. ${continueHint}`;
    return stop(options, of, result, message, exit.interrupted);
  }
  const open = waiting.find((notification) => notification.status === 'open');
  if (open) {
    const how = `${where(kept)} Answer ${open.id} with "${cmd`answer ${open.id} VALUE`}". ${continueHint}`;
    const code = reason === 'too_many_rounds' ? reason : 'waiting';
    return stop(options, of, code, `${why}${how}`, exit.waiting, kept);
  }
  const again =
    run.status === 'waiting'
      ? `Nothing is lost. ${continueHint}`
      : `To start over with all answers: ${resume}`;
  return stop(options, of, reason, `${why}${where(kept)} ${again}`, exitOf(reason), kept);
}

const where = (kept: string | undefined) => (kept ? ` What it wrote so far is kept in ${kept}.` : '');

async function stop(
  options: CommonOptions,
  of: { run: string; task: string },
  code: string,
  message: string,
  exitCode: number,
  kept?: string,
): Promise<void> {
  tell(`fermata: ${message}`);
  if (options.format === 'json') {
    await printJson({ error: { code, message }, ...of, ...(kept ? { kept } : {}) });
  }
  process.exitCode = exitCode;
}

function exitOf(reason: string): number {
  // Somebody answered the last question before we could stop, so the draft waits to be resumed.
  if (reason === 'too_many_rounds') return exit.waiting;
  return reason === 'interrupted' ? exit.failed : exit.agent;
}
