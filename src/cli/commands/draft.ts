import type { Command } from 'commander';
import { resumeRun, startRun } from '../../agents/conduct.ts';
import type { Conducting } from '../../agents/conducting.ts';
import type { AgentEvent } from '../../agents/driver.ts';
import { readsInside } from '../../agents/reads-inside.ts';
import { toolSummary } from '../../agents/stream/tool-summary.ts';
import { parseDuration } from '../../config/duration.ts';
import { refuseUnusableFolder, slug } from '../../planning/plan-folder.ts';
import { FermataError } from '../../schema/error.ts';
import { attended } from '../agents/attended.ts';
import { type AgentOptions, chooseAgent, withAgentOptions } from '../agents/choose.ts';
import { persist } from '../agents/persist.ts';
import type { CommonOptions } from '../command.ts';
import { draftData, findDraft, isUnwritten, newDraft, promptOf } from '../draft/draft-run.ts';
import { finishDraft, writeDraft } from '../draft/finish.ts';
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
Exit codes: 0 written, 1 stopped or unusable answer, 3 waits for an answer, 4 the agent could not be run, 130 interrupted.`,
    )
    .action(async (idea: string | undefined, options: DraftOptions) => {
      await withSession(options, (session) => draft(session, idea, options));
    });
}

async function draft(session: Session, idea: string | undefined, options: DraftOptions): Promise<void> {
  const timeoutMs = parseDuration(options.timeout, '--timeout') * 1000;
  const parkAfterMs = parseDuration(options.parkAfter, '--park-after') * 1000;
  if (options.resume && (idea !== undefined || options.output !== undefined)) {
    throw new FermataError(
      'invalid',
      '--resume goes on with a draft as it was begun: leave out the idea and --output.',
    );
  }
  const project = await session.project();
  const earlier = options.resume ? await findDraft(session, project.id, options.resume) : undefined;
  const data = earlier ? draftData(earlier) : newDraft(session, idea, options);
  if (earlier) tell(`Going on with ${earlier.id}: ${data.idea.trim().split('\n')[0]?.slice(0, 80)}`);
  refuseUnusableFolder(data.output);
  if (earlier && isUnwritten(earlier)) {
    const rounds = Number(earlier.data.rounds ?? 0);
    return writeDraft(session, earlier, String(earlier.end?.text ?? ''), { rounds }, options);
  }
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
  const begin = () => {
    if (earlier) return resumeRun(conducting, project.id, earlier.id);
    const wanted = { projectId: project.id, source: 'plan' as const, sourceId: slug(data.idea) };
    return startRun(conducting, { ...wanted, prompt: promptOf(data, cwd), data: { ...data } });
  };
  const { last, usage } = await attended(
    session,
    project.id,
    ({ resume }) => runId !== undefined && resume?.run === runId,
    stop,
    options.prompt,
    async () => persist(conducting, await begin()),
  );
  await finishDraft(session, last, usage, options, stop.signal.aborted);
}

/** A person who watches sees what the agent looks at. */
function follow(event: AgentEvent, options: DraftOptions): void {
  if (options.format === 'json' || !process.stderr.isTTY) return;
  if (event.kind === 'tool') tell(`  ${toolSummary(event.name, event.input)}`);
}
