import type { Command } from 'commander';
import { cmd } from '../../schema/command-line.ts';
import { counted } from '../../schema/counted.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import { type Feedback, toFeedback } from '../../schema/work.ts';
import { findRequest } from '../../work/kinds/roles/find-request.ts';
import { type CommonOptions, refuseStray } from '../command.ts';
import { type CommandContext, withKnownLedger } from '../command-context.ts';
import { localTime } from '../local-time.ts';
import { print, printJson, tell } from '../output.ts';
import { type RoleOptions, withRoleOptions } from '../roles/role-options.ts';
import { oneLine, tablePrinter } from '../table.ts';

export function define(feedback: Command): void {
  feedback.description('Turn feedback into tasks, or into questions first if it is too vague.').addHelpText(
    'after',
    `
Examples:
  fermata feedback add "The search forgets my filters"
  fermata feedback add --resume          continue after you answered its questions
  fermata feedback list`,
  );
  defineAdd(feedback);
  defineList(feedback);
  defineShow(feedback);
}

function defineAdd(feedback: Command): void {
  withRoleOptions(feedback.command('add'))
    .summary('let the Analyst turn feedback into tasks or questions')
    .description(
      'Give feedback to the Analyst. It adds tasks, or asks what it needs to know before it adds any.',
    )
    .argument('[text...]', 'the feedback')
    .option('--resume [id]', 'continue with feedback whose questions were answered (default: the newest)')
    .addHelpText(
      'after',
      `
Examples:
  fermata feedback add "Make it nicer" --agent codex
  fermata feedback add --resume f-4k7qz2m9t1
  fermata feedback add "The search is slow" --queue

Exit codes: 0 tasks added, 1 unusable answer, 3 waiting for an answer, 4 the agent could not run, 130 interrupted.`,
    )
    .action(async (words: string[], options: RoleOptions) => {
      await add(words.join(' '), options);
    });
}

async function add(text: string, options: RoleOptions): Promise<void> {
  const { resume } = options;
  if (resume !== undefined && text !== '')
    throw new FermataError('invalid', '--resume uses the original feedback. Leave out the text.');
  const { addFeedback, openFeedback } = await import('../../work/kinds/roles/add-feedback.ts');
  const { attendRole } = await import('../roles/attend-role.ts');
  const wanted = resume === undefined ? { text } : { resume };
  await attendRole(
    options,
    (id) => cmd`feedback add --resume ${id}`,
    (context, consulting) => addFeedback(context, wanted, consulting),
    ({ feedback }) => tellDone(feedback, options),
    (context, consulting) => openFeedback(context, wanted, consulting),
  );
}

async function tellDone(feedback: Feedback, options: CommonOptions): Promise<void> {
  if (options.format === 'json') return printJson({ feedback });
  const tasks = tasksOf(feedback);
  await print(tasks.join('\n'));
  const summary = oneLine(feedback.result?.summary ?? '');
  tell(`${feedback.id}: ${counted(tasks.length, 'task')} added. ${summary}`.trimEnd());
}

const tasksOf = ({ result }: Feedback) => result?.tasks ?? [];

function defineList(feedback: Command): void {
  feedback
    .command('list', { isDefault: true })
    .summary('list the feedback so far')
    .description('List the feedback of this project, newest first.')
    .allowExcessArguments()
    .addHelpText('after', '\nExample:\n  fermata feedback list --format json')
    .action(async (options: CommonOptions, command: Command) => {
      refuseStray(feedback, command.args);
      await withKnownLedger(options, (context) => list(context, options));
    });
}

async function list(context: CommandContext, options: CommonOptions): Promise<void> {
  const project = await context.knownProject();
  const all = project ? (await context.ledger.tasks.ofKind(project.id, 'feedback')).map(toFeedback) : [];
  const shown = await Promise.all(
    all.map(async (feedback) => ({
      ...feedback,
      state: stateOf(feedback, await askedBy(context, feedback)),
    })),
  );
  if (options.format === 'json') return printJson({ feedback: shown });
  if (shown.length === 0) return tell(`There is no feedback yet. Give some with: ${cmd`feedback add TEXT`}`);
  const lines = tablePrinter<(typeof shown)[number]>([
    { heading: 'ID', cell: ({ id }) => id },
    { heading: 'STATE', cell: ({ state }) => state },
    { heading: 'TASKS', cell: (one) => tasksOf(one).join(' ') || '–' },
    { heading: 'FEEDBACK', cell: ({ text }) => text, flexible: true },
  ])(shown);
  await print(lines.join('\n'));
}

function defineShow(feedback: Command): void {
  feedback
    .command('show')
    .summary('show one piece of feedback, with its questions and tasks')
    .description('Show one piece of feedback with its questions, answers and tasks.')
    .argument('<id>', 'the feedback (the beginning of its id is enough)')
    .addHelpText('after', '\nExample:\n  fermata feedback show f-4k7q')
    .action(async (id: string, options: CommonOptions) => {
      await withKnownLedger(options, async (context) => {
        const { id: projectId } = await context.project();
        await show(context, toFeedback(await findRequest(context, projectId, 'feedback', id)), options);
      });
    });
}

async function show(context: CommandContext, feedback: Feedback, options: CommonOptions): Promise<void> {
  const asked = await askedBy(context, feedback);
  const state = stateOf(feedback, asked);
  if (options.format === 'json') return printJson({ feedback: { ...feedback, state }, questions: asked });
  const { id, text, createdAt, createdBy, result } = feedback;
  const lines = [
    `${id}  ${state}  ${localTime(createdAt)} by ${createdBy?.actor.name}`,
    `  ${oneLine(text)}`,
  ];
  for (const { questions, responses } of asked) {
    for (const question of questions) {
      const response = responses.find(({ questionId }) => questionId === question.id);
      const answer =
        response?.kind === 'answered' ? [response.answer].flat().join(', ') : (response?.kind ?? 'open');
      lines.push(`  Q: ${oneLine(question.text)}`, `  A: ${oneLine(answer)}`);
    }
  }
  if (result) lines.push(`  → ${oneLine(result.summary ?? '')} (${tasksOf(feedback).join(', ')})`);
  await print(lines.join('\n'));
  if (state === 'answered')
    tell(`All questions are answered. Continue with: ${cmd`feedback add --resume ${id}`}`);
}

const askedBy = ({ ledger }: CommandContext, { projectId, id }: Feedback) =>
  ledger.notifications.asked(projectId, 'eval', id);

/** `answered`: nobody has continued with the answers yet. `open`: no agent has finished with it. */
function stateOf({ status }: Feedback, asked: Notification[]): 'done' | 'waiting' | 'answered' | 'open' {
  if (status === 'done') return 'done';
  if (asked.some((notification) => notification.status === 'open')) return 'waiting';
  const isUndelivered = ({ status: its }: Notification) => its !== 'delivered' && its !== 'recorded';
  return asked.some(isUndelivered) ? 'answered' : 'open';
}
