import type { Command } from 'commander';
import { colorsOn } from '../../channels/colors.ts';
import { printable } from '../../channels/printable.ts';
import { describeDuration } from '../../config/duration.ts';
import { askerLine } from '../../schema/asker.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Project } from '../../schema/project.ts';
import { type CommonOptions, wholeNumber } from '../command.ts';
import { print, printJson, tell } from '../output.ts';
import { type Session, withKnownLedger } from '../session.ts';
import { oneLine } from '../table.ts';

const pc = colorsOn(process.stdout);

interface InboxOptions extends CommonOptions {
  all?: true;
  limit: number;
  after?: string;
}

export function define(command: Command): void {
  command
    .description('List what waits for you: in this project, or everywhere when you are outside one.')
    .option('-a, --all', 'all projects')
    .option('-n, --limit <number>', 'how many at most', wholeNumber('--limit', 1, 1000), 50)
    .option('--after <cursor>', 'go on after this page ("next" of the JSON)')
    .addHelpText(
      'after',
      `
Examples:
  fermata inbox
  fermata inbox --all --format json
  fermata answer            answer them one after the other`,
    )
    .action(async (options: InboxOptions) => {
      await withKnownLedger(options, (session) => inbox(session, options));
    });
}

async function inbox(session: Session, options: InboxOptions): Promise<void> {
  const { notifications, projects } = session.ledger;
  await notifications.applyDeadlines();
  const project = options.all ? undefined : await session.inboxProject();
  const { limit, after } = options;
  const page = await notifications.list({ projectId: project?.id, limit, after });
  if (options.format === 'json') {
    await printJson(page);
    return;
  }
  if (page.notifications.length === 0) {
    tell(
      project
        ? `Nothing waits for you in ${project.name}. "fermata inbox --all" looks everywhere.`
        : 'Nothing waits for you.',
    );
    return;
  }
  const names = new Map((await projects.list()).map((known: Project) => [known.id, known.name]));
  for (const each of page.notifications)
    await print(lines(each, project ? undefined : names.get(each.projectId)).join('\n'));
  const total = page.next ? await notifications.count(['open'], project?.id) : page.notifications.length;
  tell(
    `\n${page.next ? `${page.notifications.length} of ${total}` : total} open. Answer with "fermata answer ID VALUE", or all of them with "fermata answer".`,
  );
}

function lines(of: Notification, project: string | undefined): string[] {
  const waited = describeDuration((Date.now() - Date.parse(of.createdAt)) / 1000);
  const where = [project, askerLine(of), `waits ${waited}`].filter(Boolean).join(' · ');
  return [
    `${pc.bold(of.id)}  ${pc.dim(printable(where))}`,
    ...of.questions.flatMap((question) => {
      const response = of.responses.find((r) => r.questionId === question.id);
      if (response) return [pc.dim(`  ✓ ${shown(question.text)}`)];
      const wanted = [question.recommended ?? []].flat();
      const options = (question.options ?? []).map(
        ({ label }, index) => `${index + 1}) ${oneLine(label)}${wanted.includes(label) ? '*' : ''}`,
      );
      return [
        `  ${shown(question.text)}`,
        ...(options.length > 0 ? [pc.dim(`  ${shown(options.join('  '))}`)] : []),
      ];
    }),
  ];
}

/** One asker that says much does not push the others off the screen; "fermata answer ID" shows all of it. */
const MOST = 1000;

function shown(text: string): string {
  const whole = printable(text);
  return (whole.length > MOST ? `${whole.slice(0, MOST)} …` : whole).replaceAll('\n', '\n  ');
}
