import type { Command } from 'commander';
import { cmd } from '../../schema/command-line.ts';
import type { Event } from '../../schema/event.ts';
import type { Project } from '../../schema/project.ts';
import { type CommonOptions, wholeNumber } from '../command.ts';
import { type CommandContext, withKnownLedger } from '../command-context.ts';
import { describeEvent } from '../event-view.ts';
import { exit } from '../exit.ts';
import { interruptible } from '../interrupt.ts';
import { print, printJsonLine, printJsonList, tell } from '../output.ts';

interface EventsOptions extends CommonOptions {
  after?: number;
  before?: number;
  limit?: number;
  follow?: true;
}

const PAGE = 500;
/** What people get without a limit; programs get everything. */
const NEWEST = 50;

export function define(command: Command): void {
  command
    .description(
      "Read a project's history: who did what, when, and through which channel. Events are numbered without gaps.",
    )
    .option('--after <number>', 'only what came after this event', wholeNumber('--after', 0, 2 ** 53 - 1))
    .option('--before <number>', 'only what came before this event', wholeNumber('--before', 1, 2 ** 53 - 1))
    .option(
      '-n, --limit <number>',
      'only the newest N (default: 50 in text); with --after or --follow, stop after N',
      wholeNumber('--limit', 1, 2 ** 53 - 1),
    )
    .option('-f, --follow', 'keep printing new events until Ctrl-C')
    .addHelpText(
      'after',
      `
Examples:
  fermata events
  fermata events -n 20 --before 981                   the 20 before event 981
  fermata events --follow
  fermata events --after 41 --follow --format json    continue after event 41; one JSON object per line`,
    )
    .action(async (options: EventsOptions) => {
      await withKnownLedger(options, (context) =>
        options.follow ? follow(context, options) : history(context, options),
      );
    });
}

async function history(context: CommandContext, options: EventsOptions): Promise<void> {
  const project = await context.knownProject();
  const pages = eventPages(context, project, options);
  if (options.format === 'json') return printJsonList('events', pages);
  let count = 0;
  let first: number | undefined;
  for await (const page of pages) {
    if (page.length > 0) await print(page.map(describeEvent).join('\n'));
    count += page.length;
    first ??= page[0]?.number;
  }
  if (count === 0)
    tell(options.after ? `Nothing happened after ${options.after}.` : 'Nothing has happened here yet.');
  if (options.after === undefined && options.limit === undefined && count === NEWEST && first !== 1)
    tell(`Older ones: ${cmd`events --before ${String(first)}`}. All of them: ${cmd`events --after 0`}`);
}

async function follow(context: CommandContext, options: EventsOptions): Promise<void> {
  const project = (await context.knownProject()) ?? (await context.project());
  const { events } = context.ledger;
  const start = options.after ?? (options.format === 'json' ? 0 : await events.cursorFor(project.id, NEWEST));
  const interrupted = await interruptible(async (signal) => {
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    for await (const event of events.watch(project.id, start, signal)) {
      await (options.format === 'json' ? printJsonLine(event) : print(describeEvent(event)));
      left -= 1;
      if (left === 0 || signal.aborted) break;
    }
    return signal.aborted;
  });
  if (interrupted) process.exitCode = exit.interrupted;
}

async function* eventPages(
  { ledger: { events } }: CommandContext,
  project: Project | undefined,
  { after, before, limit, format }: EventsOptions,
): AsyncGenerator<Event[]> {
  if (!project) return;
  const isAll = after !== undefined || format === 'json';
  const most = limit ?? (isAll ? Number.POSITIVE_INFINITY : NEWEST);
  let cursor = after ?? (await events.cursorFor(project.id, most, before));
  for (let left = Math.min(most, (before ?? Number.POSITIVE_INFINITY) - 1 - cursor); left > 0; ) {
    const size = Math.min(PAGE, left);
    const page = await events.list(project.id, cursor, size);
    yield page;
    if (page.length < size) return;
    cursor = page.at(-1)?.number ?? cursor;
    left -= page.length;
  }
}
