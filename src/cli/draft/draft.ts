import type { Command } from 'commander';
import type { AgentEvent } from '../../agents/driver.ts';
import { isReadWithin } from '../../agents/is-read-within.ts';
import { answersText } from '../../agents/questions/answer-text.ts';
import { waitingFor } from '../../agents/run/conduct.ts';
import type { RunOptions } from '../../agents/run/run-options.ts';
import { toolSummary } from '../../agents/stream/tool-summary.ts';
import { type AgentOptions, chooseAgent } from '../../app/choose-agent.ts';
import { nextStep } from '../../assignments/next-step.ts';
import { readPast } from '../../assignments/past.ts';
import { writePlan } from '../../assignments/write-plan.ts';
import { parseMilliseconds } from '../../config/duration.ts';
import { previousIssuesSection } from '../../plan/convert/previous-issues.ts';
import { withAssumed } from '../../plan/draft/assumed-questions.ts';
import { refuseUnusableFolder } from '../../plan/plan-folder.ts';
import { withProgress } from '../../plan/progress/with-progress.ts';
import { readOwnTemplates } from '../../plan/templates/own-templates.ts';
import { FermataError } from '../../schema/error.ts';
import { isApproval } from '../../schema/is-question.ts';
import type { Notification } from '../../schema/notification.ts';
import { broughtTemplates } from '../../work/trust/gather.ts';
import { attended } from '../agents/attended.ts';
import { isAtTerminal } from '../at-terminal.ts';
import { attemptLine } from '../attempt-view.ts';
import type { CommonOptions } from '../command.ts';
import { type CommandContext, withCommandContext } from '../command-context.ts';
import { tell } from '../output.ts';
import { refuseAgent, takesPipe } from '../pipe.ts';
import { PipeAttention } from '../pipe-attention.ts';
import { StdinAnswers } from '../stdin-answers.ts';
import { requireAgentTrust } from '../trust/agent-trust.ts';
import type { TrustOptions } from '../trust/trust-options.ts';
import { attemptsFolder, draftAsker, draftData, findDraft, newDraft } from './draft-run.ts';
import { finishDraft } from './finish.ts';
import { promptFor } from './prompt-for.ts';

export interface DraftOptions extends CommonOptions, AgentOptions, TrustOptions {
  adaptive?: true;
  output?: string;
  resume?: string | true;
  timeout: string;
  parkAfter: string;
  backgroundWait: string;
  prompt: boolean;
  /** Keeps a progress file in the plan's folder, and takes answers from stdin, as `rslph plan` does. */
  progress?: true;
}

const MAX_ROUNDS = 5;
const MAX_ATTEMPTS = 3;

/** Lets an agent write a plan from an idea. */
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
  await withCommandContext(options, (context) => work(context, idea, options, usesPipe));
}

/** A draft goes on as it was begun: another agent would not know the session. */
function refuseBesideResume(idea: string | undefined, command: Command): void {
  const given = ['output', 'adaptive', 'agent', 'agentCommand', 'model']
    .filter((name) => command.getOptionValueSource(name) === 'cli')
    .map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  const [first] = [...(idea === undefined ? [] : ['the idea']), ...given];
  if (first === undefined) return;
  throw new FermataError('invalid', `--resume continues an earlier draft. Leave out ${first}.`);
}

async function work(
  context: CommandContext,
  idea: string | undefined,
  options: DraftOptions,
  usesPipe: boolean,
): Promise<void> {
  if (usesPipe) refuseAgent(context);
  const timeoutMs = parseMilliseconds(options.timeout, '--timeout');
  const parkAfterMs = parseMilliseconds(options.parkAfter, '--park-after');
  const backgroundWaitMs = parseMilliseconds(options.backgroundWait, '--background-wait');
  const project = await context.project();
  const resumed = options.resume ? await findDraft(context, project.id, options.resume) : undefined;
  const data = resumed ? draftData(resumed) : await newDraft(context, idea, options);
  const asker = draftAsker(project.id, data);
  const past = await readPast(context.ledger, asker);
  const [earlier] = past.runs;
  if (earlier) tell(`Resuming ${earlier.id}: ${data.idea.trim().split('\n')[0]?.slice(0, 80)}`);
  const step = nextStep(past, data.adaptive);
  // A finished answer that nobody has used may be in place already.
  if (step.kind !== 'judge') refuseUnusableFolder(data.output);
  const stdin = !usesPipe && readsStdin(context, idea, options);
  const isAttended = usesPipe || stdin || (options.prompt && isAtTerminal());
  if (resumed && step.kind === 'wait' && !isAttended) throw waitingFor(step.run.id, step.open);
  const cwd = earlier?.cwd ?? process.cwd();
  const own = readOwnTemplates(context.settings.project.value.root, 'draft');
  await requireAgentTrust(context, cwd, options, broughtTemplates(own));
  const { driver, setup } = await chooseAgent(context, data.agent, {
    cwd,
    mustAsk: data.adaptive,
    timeoutMs,
    parkAfterMs,
    backgroundWaitMs,
  });
  const stop = new AbortController();
  let runId = earlier?.id;
  const conducting: RunOptions = {
    ledger: context.ledger,
    driver,
    setup,
    questions: data.adaptive ? 'ask' : 'assume',
    maxRounds: allowedRounds(earlier?.data.rounds ?? 0),
    allows: (tool, input) => isReadWithin(cwd, tool, input),
    signal: stop.signal,
    onRun: (run) => {
      runId = run.id;
    },
    onEvent: (event) => follow(event, options),
    onRetry: tell,
  };
  const prompt = await promptFor(context, project.id, data, cwd, own, earlier === undefined);
  // What nobody is asked is answered by us: only what needs an approval concerns a person then.
  const isAsked = (each: Notification) => data.adaptive || isApproval(each);
  const written = await attended(
    context,
    {
      projectId: project.id,
      concerns: (each) => runId !== undefined && each.resume?.run === runId && isAsked(each),
      stop,
      prompt: options.prompt,
      pipe: usesPipe ? new PipeAttention(context) : undefined,
      stdin: stdin ? new StdinAnswers(context) : undefined,
    },
    () =>
      writePlan(conducting, {
        ...asker,
        data: () => ({ ...data }),
        output: data.output,
        replace: false,
        attempts: attemptsFolder(context, project.id, data),
        maxAttempts: MAX_ATTEMPTS,
        prompt: (previous, asked) =>
          [prompt, ...asked.filter(isAnswered).map(answersText), previousIssuesSection(previous)]
            .filter((part) => part !== '')
            .join('\n\n'),
        edit: (files, asked) => {
          const whole = data.adaptive ? files : withAssumed(files, asked);
          return data.progress ? withProgress(whole) : whole;
        },
        onParked: (open) => {
          // Who is asked here may be typing the answer.
          if (isAtTerminal()) return;
          const ids = open.map(({ id }) => id).join(', ');
          tell(`The agent is parked without a process while it waits for ${ids}.`);
        },
        onJudged: (attempt) => tell(attemptLine(attempt)),
      }),
  );
  await finishDraft(context, written, data, options, stop.signal.aborted);
}

const isAnswered = ({ responses }: Notification) => responses.length > 0;

/** A person's answers may stand on stdin: not those of an agent, and not where the idea came from there. */
function readsStdin({ by }: CommandContext, idea: string | undefined, { progress }: DraftOptions): boolean {
  return progress === true && idea !== '-' && !isAtTerminal() && by('command').actor.kind === 'person';
}

/** Five; another five each time a person resumes a run that had asked too often. */
function allowedRounds(rounds: number): number {
  const before = Math.max(0, rounds - 1);
  return MAX_ROUNDS * (1 + Math.floor(before / MAX_ROUNDS));
}

/** A person who watches sees what the agent looks at. */
function follow(event: AgentEvent, options: DraftOptions): void {
  if (event.kind === 'notice') tell(event.text);
  if (options.format === 'json' || !process.stderr.isTTY) return;
  if (event.kind === 'tool') tell(`  ${toolSummary(event.name, event.input)}`);
}
