import type { Command } from 'commander';
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
  limit?: number;
  follow?: true;
}

const PAGE = 500;

export function define(command: Command): void {
  command
    .description(
      "Read a project's history: who did what, when, and through which channel. Events are numbered without gaps.",
    )
    .option('--after <number>', 'only what came after this event', wholeNumber('--after', 0, 2 ** 53 - 1))
    .option(
      '-n, --limit <number>',
      'only the newest N; with --after or --follow, stop after N',
      wholeNumber('--limit', 1, 2 ** 53 - 1),
    )
    .option('-f, --follow', 'keep printing new events until Ctrl-C')
    .addHelpText(
      'after',
      `
Examples:
  fermata events
  fermata events -n 20                                the newest 20
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
  for await (const page of pages) {
    if (page.length > 0) await print(page.map(describeEvent).join('\n'));
    count += page.length;
  }
  if (count === 0)
    tell(options.after ? `Nothing happened after ${options.after}.` : 'Nothing has happened here yet.');
}

async function follow(context: CommandContext, options: EventsOptions): Promise<void> {
  const project = (await context.knownProject()) ?? (await context.project());
  const interrupted = await interruptible(async (signal) => {
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    for await (const event of context.ledger.events.watch(project.id, options.after ?? 0, signal)) {
      await (options.format === 'json' ? printJsonLine(event) : print(describeEvent(event)));
      left -= 1;
      if (left === 0 || signal.aborted) break;
    }
    return signal.aborted;
  });
  if (interrupted) process.exitCode = exit.interrupted;
}

async function* eventPages(
  { ledger }: CommandContext,
  project: Project | undefined,
  { after, limit = Number.POSITIVE_INFINITY }: EventsOptions,
): AsyncGenerator<Event[]> {
  if (!project) return;
  // Numbers have no gaps, so the newest `limit` events begin there.
  let cursor = after ?? Math.max(0, project.lastEvent - limit);
  for (let left = limit; left > 0; ) {
    const size = Math.min(PAGE, left);
    const page = await ledger.events.list(project.id, cursor, size);
    yield page;
    if (page.length < size) return;
    cursor = page.at(-1)?.number ?? cursor;
    left -= page.length;
  }
}
