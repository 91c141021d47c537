import type { Command } from 'commander';
import { toolSummary } from '../../agents/stream/tool-summary.ts';
import { slug } from '../../plan/plan-folder.ts';
import { FermataError } from '../../schema/error.ts';
import type { SaidAgent } from '../../work/agent/choose-agent.ts';
import type { Asker, Context } from '../../work/context.ts';
import { beginDraft } from '../../work/kinds/draft/draft.ts';
import type { Report } from '../../work/report.ts';
import { timesOf } from '../agents/agent-options.ts';
import { attended } from '../agents/attended.ts';
import { isAtTerminal } from '../at-terminal.ts';
import type { CommonOptions } from '../command.ts';
import { type CommandContext, withCommandContext } from '../command-context.ts';
import { appContextOf } from '../context.ts';
import { givenText } from '../given-text.ts';
import { tell } from '../output.ts';
import { refuseAgent, takesPipe } from '../pipe.ts';
import { PipeAttention } from '../pipe-attention.ts';
import { printQueued, type QueueFlags, refuseStrayNeeds } from '../queue-options.ts';
import { StdinAnswers } from '../stdin-answers.ts';
import { tellReport } from '../tell-report.ts';
import type { TrustOptions } from '../trust/trust-options.ts';
import { finishDraft } from './finish.ts';

export interface DraftOptions extends CommonOptions, SaidAgent, TrustOptions, QueueFlags {
  adaptive?: true;
  output?: string;
  resume?: string | true;
  timeout: string;
  parkAfter: string;
  backgroundWait: string;
  prompt: boolean;
  /** Writes a progress file to the plan's folder, and takes answers from stdin, as `rslph plan` does. */
  progress?: true;
}

/** Has an agent write a plan from an idea. */
export async function draft(
  idea: string | undefined,
  options: DraftOptions,
  command: Command,
): Promise<void> {
  if (options.resume) refuseBesideResume(idea, command);
  const usesPipe = takesPipe();
  if (usesPipe && idea === '-') {
    throw new FermataError(
      'invalid',
      'stdin is in use as the pipe for answers. Pass the idea as text or as a file.',
    );
  }
  const times = timesOf(options);
  refuseStrayNeeds(options);
  await withCommandContext(options, async (context) => {
    if (usesPipe) refuseAgent(context);
    const { resume } = options;
    const wanted = resume ? { resume } : { idea: await givenText(idea, 'the idea') };
    if (options.queue) return queueDraft(appContextOf(context, options), wanted, options);
    const stop = new AbortController();
    const usesStdin = !usesPipe && readsStdin(context, idea, options);
    const appContext = appContextOf(context, options);
    const ask = { ...appContext.ask, ...askerOf(context, stop, options, { usesPipe, usesStdin }) };
    const report = (event: Report) => follow(event, options);
    const { carryOut } = await beginDraft({ ...appContext, ask, report }, wanted, {
      ...options,
      ...times,
      signal: stop.signal,
    });
    await finishDraft(appContext, await carryOut(), options);
  });
}

async function queueDraft(
  context: Context,
  wanted: { idea: string } | { resume: string | true },
  options: DraftOptions,
): Promise<void> {
  if ('resume' in wanted || options.progress)
    throw new FermataError(
      'invalid',
      options.progress
        ? 'Workers cannot write a progress file. Leave out --queue.'
        : '--resume continues a draft on this machine, so it cannot be queued. Leave out --queue.',
    );
  const { idea } = wanted;
  const { adaptive } = options;
  const [{ queuePlanning }, { workerPlan }] = await Promise.all([
    import('../../work/worker/queue-work.ts'),
    import('../../work/worker/worker-path.ts'),
  ]);
  const plan = workerPlan(context, options.output, slug(idea));
  const work = { kind: 'draft' as const, input: { plan, idea, ...(adaptive ? { adaptive } : {}) } };
  const times = timesOf(options);
  await printQueued(await queuePlanning(context, work, { ...options, ...times }), options);
}

/** A draft continues as it began, because another agent would not know the session. */
function refuseBesideResume(idea: string | undefined, command: Command): void {
  const given = ['output', 'adaptive', 'agent', 'agentCommand', 'model']
    .filter((name) => command.getOptionValueSource(name) === 'cli')
    .map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  const [first] = [...(idea === undefined ? [] : ['the idea']), ...given];
  if (first === undefined) return;
  throw new FermataError('invalid', `--resume continues an earlier draft. Leave out ${first}.`);
}

/** Asks at this terminal or over the pipe, or takes answers from stdin. */
function askerOf(
  context: CommandContext,
  stop: AbortController,
  { prompt }: DraftOptions,
  { usesPipe, usesStdin }: { usesPipe: boolean; usesStdin: boolean },
): Asker {
  return {
    stays: () => usesPipe || usesStdin || (prompt && isAtTerminal()),
    during: ({ projectId, concerns }, work) => {
      const pipe = usesPipe ? new PipeAttention(context) : undefined;
      const stdin = usesStdin ? new StdinAnswers(context) : undefined;
      return attended(context, { projectId, concerns, stop, prompt, pipe, stdin }, work);
    },
  };
}

/** Stdin may contain a person's answers, but not an agent's, and not if the idea came from there. */
function readsStdin({ by }: CommandContext, idea: string | undefined, { progress }: DraftOptions): boolean {
  return progress === true && idea !== '-' && !isAtTerminal() && by('command').actor.kind === 'person';
}

/** Shows a watching person what the agent reads. */
function follow(report: Report, { format }: DraftOptions): void {
  if (report.kind !== 'activity') {
    tellReport(report);
    return;
  }
  const { event } = report;
  if (event.kind === 'notice') tell(event.text);
  if (event.kind === 'tool' && format !== 'json' && process.stderr.isTTY)
    tell(`  ${toolSummary(event.name, event.input)}`);
}
