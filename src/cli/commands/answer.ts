import type { Command } from 'commander';
import { lacksWords } from '../../channels/gate-words.ts';
import { pipeItemsOf } from '../../channels/pipe/pipe-question.ts';
import { describeAnswer, describeSilence } from '../../channels/present.ts';
import { readReply } from '../../channels/reply.ts';
import { answerInTerminal } from '../../channels/terminal.ts';
import { isFinal } from '../../ledger/notifications/notification-machine.ts';
import type { Settled } from '../../ledger/notifications/settle.ts';
import { tooLate } from '../../ledger/notifications/too-late.ts';
import { cmd } from '../../schema/command-line.ts';
import { counted } from '../../schema/counted.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification, ResolveInput, ResponseInput } from '../../schema/notification.ts';
import { visible } from '../../schema/visible.ts';
import type { CommonOptions } from '../command.ts';
import { type CommandContext, refuseOwnSession, withKnownLedger } from '../command-context.ts';
import { exit } from '../exit.ts';
import { interruptible } from '../interrupt.ts';
import { nothingWaits } from '../notification-view.ts';
import { print, printJson, tell } from '../output.ts';

interface AnswerOptions extends CommonOptions {
  skip?: true;
  accept?: true;
  dismiss?: string;
  note?: string;
  always?: true;
  all?: true;
}

export function define(command: Command): void {
  command
    .description('Answer a question. Pass one value per question, or none to be asked one by one.')
    .argument('[id]', 'the question (the beginning of its id is enough); default: go through all open ones')
    .argument(
      '[values...]',
      'an option by number or name (several, separated by commas, if allowed), or your own words',
    )
    .option('--skip', 'let the asker decide')
    .option('--accept', "accept the agent's proposal, which applies if nobody answers")
    .option('--dismiss <reason>', 'refuse to answer, and say why')
    .option('--note <text>', 'add a note to the answer')
    .option('--always', 'give this answer automatically whenever the same question comes up')
    .option('-a, --all', 'without an id: go through all projects')
    .addHelpText(
      'after',
      `
Examples:
  fermata answer                       go through everything that is waiting here
  fermata answer n-4k7 PostgreSQL      free text or the name of an option
  fermata answer n-4k7 2               the second option ("=2" for the text 2)
  fermata answer n-4k7 1,3             several options, if the question allows it
  fermata answer n-4k7 --dismiss "the plan changed"

The first answer wins. Giving the same answer again is fine; a different one fails with exit code 1 and names the first.`,
    )
    .action(async (id: string | undefined, values: string[], options: AnswerOptions) => {
      await withKnownLedger(options, (context) => answer(context, id, values, options));
    });
}

async function answer(
  context: CommandContext,
  id: string | undefined,
  values: string[],
  options: AnswerOptions,
): Promise<void> {
  refuseOwnSession();
  if (context.by('command').actor.kind === 'agent') {
    throw new FermataError(
      'forbidden',
      'An agent may ask but not answer. A person has to answer this question.',
    );
  }
  const leaves = options.skip === true || options.dismiss !== undefined;
  if (options.always && (values.length === 0 || leaves)) {
    throw new FermataError('invalid', `--always needs an answer: ${cmd`answer ID VALUE --always`}`);
  }
  await context.ledger.notifications.applyDeadlines();
  if (id === undefined) return answerAll(context, options);
  const notification = await context.ledger.notifications.find(id);
  if (options.accept) return acceptProposal(context, notification, values, options);
  const input = inputOf(notification, values, options);
  if (!input) {
    if (isFinal(notification.status)) throw tooLate(notification);
    return interactively(context, [notification], options);
  }
  const { projectId } = notification;
  const settled = await context.ledger.notifications.resolve(
    projectId,
    notification.id,
    input,
    context.by('command'),
  );
  await report(settled, options);
}

async function acceptProposal(
  context: CommandContext,
  { projectId, id }: Notification,
  values: string[],
  options: AnswerOptions,
): Promise<void> {
  if (values.length > 0 || options.skip || options.dismiss !== undefined)
    throw new FermataError('invalid', 'Pass either --accept or an answer, not both.');
  await report(
    await context.ledger.notifications.acceptProposal(projectId, id, context.by('command')),
    options,
  );
}

/** The answers from the command line; undefined if the person wants to be asked. */
function inputOf(
  notification: Notification,
  values: string[],
  options: AnswerOptions,
): ResolveInput | undefined {
  if (options.dismiss !== undefined) return { dismissed: true, reason: options.dismiss };
  const left = notification.questions.filter(
    (q) => !notification.responses.some((r) => r.questionId === q.id),
  );
  const asked = left.length > 0 ? left : notification.questions;
  if (options.skip)
    return { responses: asked.map((question) => ({ questionId: question.id, skipped: true as const })) };
  if (values.length === 0) return undefined;
  const [only] = asked;
  const given =
    asked.length === 1 && only?.multi ? [values.join(',')] : withSkips(notification, asked, values);
  if (given.length !== asked.length) {
    if (isFinal(notification.status)) throw tooLate(notification);
    const list = asked.map((q, i) => `  ${i + 1}. ${visible(q.text).split('\n')[0]}`).join('\n');
    throw new FermataError(
      'invalid',
      `${notification.id} has ${counted(asked.length, 'open question')}, but you gave ${counted(given.length, 'value')}. Give one value for each ("skip" leaves one out):\n${list}`,
    );
  }
  const responses = asked.map((question, index) =>
    response(notification, question, given[index] ?? '', options),
  );
  if (notification.kind === 'gate' && values.length < asked.length && lacksWords(responses)) {
    throw new FermataError(
      'invalid',
      `Say what to change, because the agent cannot guess it: ${cmd`answer ${notification.id} ${values} "WORDS"`}`,
    );
  }
  return { responses };
}

/** At a human gate only questions with options need an answer; the rest are remarks. */
function withSkips({ kind }: Notification, asked: Notification['questions'], values: string[]): string[] {
  const decisive = asked.filter(({ options }) => options !== undefined).length;
  if (kind !== 'gate' || decisive === 0 || values.length < decisive) return values;
  return [...values, ...asked.slice(values.length).map(() => 'skip')];
}

function response(
  of: Notification,
  question: Notification['questions'][number],
  value: string,
  { note, always }: AnswerOptions,
): ResponseInput {
  if (value.trim() === '' && of.kind !== 'gate')
    throw new FermataError('invalid', 'The answer is empty. Pass a value, or "skip".');
  const reply = readReply(value, question, of.kind);
  if (reply.kind !== 'answer' && reply.kind !== 'skip') throw new FermataError('invalid', reply.message);
  if (reply.kind === 'skip') return { questionId: question.id, skipped: true };
  return {
    questionId: question.id,
    answer: reply.answer,
    ...(note ? { note } : {}),
    ...(always ? { standing: always } : {}),
  };
}

async function answerAll(context: CommandContext, options: AnswerOptions): Promise<void> {
  const project = options.all ? undefined : await context.inboxProject();
  const { notifications } = await context.ledger.notifications.list({ projectId: project?.id });
  if (notifications.length === 0) tell(nothingWaits(project));
  else {
    const { mostUrgentFirst } = await import('../../channels/most-urgent.ts');
    const sorted = await mostUrgentFirst(context.ledger, notifications);
    await interactively(
      context,
      sorted.map(({ notification }) => notification),
      options,
    );
  }
}

async function interactively(
  context: CommandContext,
  open: Notification[],
  options: AnswerOptions,
): Promise<void> {
  const { takesPipe } = await import('../pipe.ts');
  if (takesPipe()) return overPipe(context, open, options);
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    const [first] = open;
    throw new FermataError(
      'invalid',
      `There is no terminal to ask in. Pass the answer as a value: ${cmd`answer ${first?.id ?? 'ID'} VALUE`}`,
    );
  }
  const io = { input: process.stdin, output: process.stderr, confirmsOne: true };
  const result = await answerInTerminal(context.ledger, open, context.by('terminal'), io);
  if (options.format === 'json') await printJson({ settled: result.settled });
  else for (const settled of result.settled) await report(settled, options);
  if (result.refused.length > 0) process.exitCode = exit.failed;
  if (result.interrupted) {
    const stored = result.settled.length > 0 ? 'What you answered so far is stored' : 'Nothing was stored';
    tell(`Interrupted. ${stored}. Continue with: ${options.all ? cmd`answer --all` : cmd`answer`}`);
    process.exitCode = exit.interrupted;
  }
}

async function overPipe(
  context: CommandContext,
  open: Notification[],
  options: AnswerOptions,
): Promise<void> {
  const items = open.flatMap(pipeItemsOf);
  const { openPipe } = await import('../pipe.ts');
  const pipe = openPipe(context, items);
  const isThrough = await interruptible((signal) => pipe.askAll(items, signal).finally(() => pipe.close()));
  for (const { projectId, id } of open) {
    const notification = await context.ledger.notifications.get(projectId, id);
    if (isFinal(notification.status)) await report({ notification, repeat: false }, options);
    else process.exitCode = exit.waiting;
  }
  if (!isThrough) process.exitCode = exit.interrupted;
}

async function report({ notification, repeat }: Settled, options: AnswerOptions): Promise<void> {
  if (options.format === 'json') {
    await printJson({ notification, repeat });
    return;
  }
  const isAccepted = notification.status === 'open' && notification.responses.length === 0;
  if (isAccepted) {
    await print(
      `${repeat ? 'Already accepted' : 'Accepted'}: ${notification.id}. ${describeSilence(notification)}`,
    );
    return;
  }
  const said = notification.responses.map((r) =>
    r.kind === 'answered' ? describeAnswer(r.answer) : `(${r.kind})`,
  );
  const left = notification.questions.length - notification.responses.length;
  const rest = left > 0 ? `; ${counted(left, 'question')} still open` : '';
  await print(`${repeat ? 'Already settled' : 'Stored'}: ${notification.id} ${said.join(' · ')}${rest}`);
}
