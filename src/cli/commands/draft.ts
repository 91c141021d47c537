import type { Command } from 'commander';
import type { Conducting } from '../../agents/conducting.ts';
import type { AgentEvent } from '../../agents/driver.ts';
import { readsInside } from '../../agents/reads-inside.ts';
import { toolSummary } from '../../agents/stream/tool-summary.ts';
import { parseMilliseconds } from '../../config/duration.ts';
import { attemptPlan } from '../../planning/convert/attempt-plan.ts';
import { draftPrompt } from '../../planning/draft/prompt.ts';
import { assessVagueness } from '../../planning/draft/vagueness.ts';
import { refuseUnusableFolder } from '../../planning/plan-folder.ts';
import { detectStack } from '../../planning/repository/stack.ts';
import type { HilConfig } from '../../schema/autonomy.ts';
import { FermataError } from '../../schema/error.ts';
import { attended } from '../agents/attended.ts';
import { type AgentOptions, chooseAgent, withAgentOptions } from '../agents/choose.ts';
import { attemptLine } from '../attempt-view.ts';
import type { CommonOptions } from '../command.ts';
import { DraftAttempts, type Stopped } from '../draft/attempts.ts';
import { attemptsFolder, type DraftData, draftData, findDraft, newDraft } from '../draft/draft-run.ts';
import { finishDraft } from '../draft/finish.ts';
import { tell } from '../output.ts';
import { type Session, withSession } from '../session.ts';

interface DraftOptions extends CommonOptions, AgentOptions {
  adaptive?: true;
  output?: string;
  resume?: string | true;
  timeout: string;
  parkAfter: string;
  prompt: boolean;
}

const MAX_ROUNDS = 5;
const MAX_ATTEMPTS = 3;

export function define(command: Command): void {
  withAgentOptions(command)
    .description(
      'Turn an idea into a plan of phases. With --adaptive the agent asks you what it must know; without, it assumes.',
    )
    .argument('[idea]', 'the idea: a text, a file, or - for stdin')
    .option('--adaptive', 'let the agent ask what a wrong guess would make expensive')
    .option('--output <dir>', 'where the plan goes (default: plans/NAME in the project)')
    .option(
      '--resume [run]',
      'go on with a draft that was interrupted or waited (the newest one where none is named)',
    )
    .option('--timeout <duration>', 'how long the agent may work', '30m')
    .option(
      '--park-after <duration>',
      'how long a question is held in the process before the agent is parked',
      '5m',
    )
    .option('--no-prompt', 'do not ask in this terminal, only wait for answers from elsewhere')
    .addHelpText(
      'after',
      `
Examples:
  fermata draft "Add a log-in page for customers" --adaptive
  fermata draft idea.md --agent codex --output plans/login
  fermata draft --resume

A question can be answered here or on any other channel (fermata inbox, fermata answer).
The plan is audited; what is wrong is told to the agent, which has three attempts.
Exit codes: 0 written, 1 stopped or no attempt passed the audit, 3 waits for an answer, 4 the agent could not be run, 130 interrupted.`,
    )
    .action(async (idea: string | undefined, options: DraftOptions, self: Command) => {
      if (options.resume) refuseBesideResume(idea, self);
      await withSession(options, (session) => draft(session, idea, options));
    });
}

/** A draft goes on as it was begun: another agent would not know the session. */
function refuseBesideResume(idea: string | undefined, command: Command): void {
  const given = ['output', 'adaptive', 'agent', 'agentCommand', 'model']
    .filter((name) => command.getOptionValueSource(name) === 'cli')
    .map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  const [first] = [...(idea === undefined ? [] : ['the idea']), ...given];
  if (first === undefined) return;
  throw new FermataError('invalid', `--resume goes on with a draft as it was begun: leave out ${first}.`);
}

async function draft(session: Session, idea: string | undefined, options: DraftOptions): Promise<void> {
  const timeoutMs = parseMilliseconds(options.timeout, '--timeout');
  const parkAfterMs = parseMilliseconds(options.parkAfter, '--park-after');
  const project = await session.project();
  const earlier = options.resume ? await findDraft(session, project.id, options.resume) : undefined;
  const data = earlier ? draftData(earlier) : await newDraft(session, idea, options);
  if (earlier) tell(`Going on with ${earlier.id}: ${data.idea.trim().split('\n')[0]?.slice(0, 80)}`);
  refuseUnusableFolder(data.output);
  const cwd = earlier?.cwd ?? process.cwd();
  const { driver, setup } = await chooseAgent(session, data.agent, {
    cwd,
    mustAsk: data.adaptive,
    timeoutMs,
    parkAfterMs,
  });
  const stop = new AbortController();
  let runId = earlier?.id;
  const conducting: Conducting = {
    ledger: session.ledger,
    driver,
    setup,
    questions: data.adaptive ? 'ask' : 'assume',
    maxRounds: MAX_ROUNDS,
    allows: (tool, input) => readsInside(cwd, tool, input),
    signal: stop.signal,
    onRun: (run) => {
      runId = run.id;
    },
    onEvent: (event) => follow(event, options),
  };
  const hilConfig = await session.ledger.projects.hilConfig(project.id);
  const attempts = new DraftAttempts(conducting, project.id, data, promptOf(data, cwd, hilConfig), earlier);
  const attempted = await attended(
    session,
    {
      projectId: project.id,
      concerns: ({ resume }) => runId !== undefined && resume?.run === runId,
      stop,
      prompt: options.prompt,
    },
    () =>
      attemptPlan<Stopped>({
        output: data.output,
        replace: false,
        attempts: attemptsFolder(session, project.id, data),
        maxIterations: MAX_ATTEMPTS,
        earlier: attempts.earlier,
        ask: attempts.ask,
        edit: attempts.edit,
        onJudged: (attempt) => {
          attempts.judged(attempt);
          tell(attemptLine(attempt));
        },
      }),
  );
  await finishDraft(session, attempted, attempts, data, options, stop.signal.aborted);
}

function promptOf(data: DraftData, cwd: string, hilConfig: HilConfig): string {
  const vagueness = assessVagueness(data.idea);
  // A program that cannot ask would not be helped by it.
  if (vagueness.vague && !data.adaptive && data.agent.agent !== 'command' && data.attempts === undefined) {
    const reasons = vagueness.reasons.join('; ');
    tell(`The idea is vague (${reasons}). With --adaptive the agent asks instead of assuming.`);
  }
  const tool = data.agent.agent === 'codex' ? 'ask_human' : 'AskUserQuestion';
  const { idea, adaptive } = data;
  return draftPrompt({ idea, adaptive, tool, vagueness, stack: detectStack(cwd), hilConfig });
}

/** A person who watches sees what the agent looks at. */
function follow(event: AgentEvent, options: DraftOptions): void {
  if (options.format === 'json' || !process.stderr.isTTY) return;
  if (event.kind === 'tool') tell(`  ${toolSummary(event.name, event.input)}`);
}
