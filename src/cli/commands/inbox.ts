import type { Command } from 'commander';
import { colorsOn } from '../../channels/colors.ts';
import { mostUrgentFirst } from '../../channels/most-urgent.ts';
import { writeCursor } from '../../ledger/engine/stored.ts';
import { cmd } from '../../schema/command-line.ts';
import type { Project } from '../../schema/project.ts';
import { visible } from '../../schema/visible.ts';
import { type CommonOptions, wholeNumber } from '../command.ts';
import { type CommandContext, withKnownLedger } from '../command-context.ts';
import { localTime } from '../local-time.ts';
import { nothingWaits, notificationLines, shownText } from '../notification-view.ts';
import { print, printJson, tell } from '../output.ts';

const pc = colorsOn(process.stdout);

interface InboxOptions extends CommonOptions {
  all?: true;
  recorded?: true;
  limit: number;
  after?: string;
}

export function define(command: Command): void {
  command
    .description('List what is waiting for you in this project, or everywhere if you are not in a project.')
    .option('-a, --all', 'all projects')
    .option('--recorded', 'list what agents decided without you, and what they reported, newest first')
    .option('-n, --limit <number>', 'the maximum number to list', wholeNumber('--limit', 1, 1000), 50)
    .option('--after <cursor>', 'start after this cursor ("next" in the JSON of the page before)')
    .addHelpText(
      'after',
      `
Examples:
  fermata inbox
  fermata inbox --all --format json
  fermata answer            answer them one by one`,
    )
    .action(async (options: InboxOptions) => {
      await withKnownLedger(options, (context) => inbox(context, options));
    });
}

async function inbox(context: CommandContext, options: InboxOptions): Promise<void> {
  const { notifications, projects } = context.ledger;
  const project = options.all ? undefined : await context.inboxProject();
  if (options.recorded) return recorded(context, project, options);
  await notifications.applyDeadlines();
  const { limit, after } = options;
  const page = await notifications.list({ projectId: project?.id, limit, after });
  if (options.format === 'json') {
    await printJson(page);
    return;
  }
  if (page.notifications.length === 0) {
    tell(nothingWaits(project));
    return;
  }
  const names = new Map((await projects.list()).map((known: Project) => [known.id, known.name]));
  for (const { notification, behind } of await mostUrgentFirst(context.ledger, page.notifications)) {
    const name = project ? undefined : names.get(notification.projectId);
    await print(notificationLines(notification, name, behind));
  }
  const total = page.next ? await notifications.count(['open'], project?.id) : page.notifications.length;
  tell(
    `\n${page.next ? `${page.notifications.length} of ${total}` : total} open. Answer with "${cmd`answer ID VALUE`}", or all of them with "${project ? cmd`answer` : cmd`answer --all`}".`,
  );
}

/** What needs no answer: who decided what alone, and when. */
async function recorded(
  { ledger }: CommandContext,
  project: { id: string; name: string } | undefined,
  { limit, after, format }: InboxOptions,
): Promise<void> {
  const rows = await ledger.notifications.recorded(limit + 1, after, project?.id);
  const notifications = rows.slice(0, limit);
  const last = rows.length > limit ? notifications.at(-1) : undefined;
  const next = last && writeCursor(last.createdAt, last.id);
  if (format === 'json') return printJson({ notifications, ...(next ? { next } : {}) });
  if (notifications.length === 0) return tell('Agents have not decided anything without you.');
  for (const { id, createdAt, createdBy, sourceId, questions } of notifications) {
    const about = `${localTime(createdAt)} · ${createdBy.actor.name} · ${sourceId}`;
    const texts = questions.map(({ text }) => `  ${shownText(text)}`);
    await print([`${pc.bold(id)}  ${pc.dim(visible(about))}`, ...texts].join('\n'));
  }
  if (next) tell(`\nMore: ${cmd`inbox --recorded --after ${next}`}`);
}
