import type { Command } from 'commander';
import { lacksWords } from '../../channels/gate-words.ts';
import { pipeItem } from '../../channels/pipe/pipe-question.ts';
import { describeAnswer } from '../../channels/present.ts';
import { printable } from '../../channels/printable.ts';
import { readReply } from '../../channels/reply.ts';
import { answerInTerminal } from '../../channels/terminal.ts';
import { isPipeMode } from '../../config/pipe.ts';
import { isFinal } from '../../ledger/machine/notification.ts';
import { tooLate } from '../../ledger/machine/too-late.ts';
import type { Settled } from '../../ledger/settle.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification, ResolveInput, ResponseInput } from '../../schema/notification.ts';
import type { CommonOptions } from '../command.ts';
import { exit } from '../exit.ts';
import { interruptible } from '../interrupt.ts';
import { print, printJson, tell } from '../output.ts';
import { type Session, withKnownLedger } from '../session.ts';

interface AnswerOptions extends CommonOptions {
  skip?: true;
  dismiss?: string;
  note?: string;
  always?: true;
  all?: true;
}

export function define(command: Command): void {
  command
    .description('Answer a question: with one value per question, or interactively without values.')
    .argument('[id]', 'the question (the beginning of its id is enough); without it, all open ones are asked')
    .argument(
      '[values...]',
      'an option by number or name, several with commas where allowed, or your own words',
    )
    .option('--skip', 'leave it to the asker')
    .option('--dismiss <reason>', 'refuse to answer, and say why')
    .option('--note <text>', 'something to say with the answer')
    .option('--always', 'answer the same question like this by itself from now on')
    .option('-a, --all', 'without an id: the questions of all projects')
    .addHelpText(
      'after',
      `
Examples:
  fermata answer                       go through everything that waits here
  fermata answer n-4k7 PostgreSQL      free text or the name of an option
  fermata answer n-4k7 2               the second option ("=2" for the text 2)
  fermata answer n-4k7 1,3             several options, where the question allows it
  fermata answer n-4k7 --dismiss "the plan changed"

The first answer wins. Yours again is fine; another one exits with 1 and names the winner's.`,
    )
    .action(async (id: string | undefined, values: string[], options: AnswerOptions) => {
      await withKnownLedger(options, (session) => answer(session, id, values, options));
    });
}

async function answer(
  session: Session,
  id: string | undefined,
  values: string[],
  options: AnswerOptions,
): Promise<void> {
  if (session.by('command').actor.kind === 'agent') {
    throw new FermataError(
      'forbidden',
      'An agent may ask but not answer. A person has to answer this question.',
    );
  }
  const leaves = options.skip === true || options.dismiss !== undefined;
  if (options.always && (values.length === 0 || leaves)) {
    throw new FermataError(
      'invalid',
      '--always needs the answer that is to stand: fermata answer ID VALUE --always',
    );
  }
  await session.ledger.notifications.applyDeadlines();
  if (id === undefined) return interactively(session, await openOnes(session, options), options);
  const notification = await session.ledger.notifications.find(id);
  const input = inputOf(notification, values, options);
  if (!input) {
    if (isFinal(notification.status)) throw tooLate(notification);
    return interactively(session, [notification], options);
  }
  const { projectId } = notification;
  const settled = await session.ledger.notifications.resolve(
    projectId,
    notification.id,
    input,
    session.by('command'),
  );
  await report(settled, options);
}

/** What was said on the command line; undefined where the person wants to be asked. */
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
    const list = asked.map((q, i) => `  ${i + 1}. ${printable(q.text).split('\n')[0]}`).join('\n');
    throw new FermataError(
      'invalid',
      `${notification.id} has ${asked.length} open question(s), but ${given.length} value(s) were given. Give one value for each ("skip" leaves one out):\n${list}`,
    );
  }
  const responses = asked.map((question, index) =>
    response(notification, question, given[index] ?? '', options),
  );
  if (notification.source === 'gate' && values.length < asked.length && lacksWords(responses)) {
    throw new FermataError(
      'invalid',
      `What has to change? The agent cannot guess it: fermata answer ${notification.id} ${values.join(' ')} "WORDS"`,
    );
  }
  return { responses };
}

/** Of a human gate only what has options has to be said; what comes after it are remarks. */
function withSkips({ source }: Notification, asked: Notification['questions'], values: string[]): string[] {
  const decisive = asked.filter(({ options }) => options !== undefined).length;
  if (source !== 'gate' || decisive === 0 || values.length < decisive) return values;
  return [...values, ...asked.slice(values.length).map(() => 'skip')];
}

function response(
  of: Notification,
  question: Notification['questions'][number],
  value: string,
  { note, always }: AnswerOptions,
): ResponseInput {
  if (value.trim() === '' && of.source !== 'gate')
    throw new FermataError('invalid', 'An empty value is no answer. Give one, or "skip".');
  const reply = readReply(value, question, of.source);
  if (reply.kind === 'unclear' || reply.kind === 'blank') throw new FermataError('invalid', reply.message);
  if (reply.kind === 'skip') return { questionId: question.id, skipped: true };
  return {
    questionId: question.id,
    answer: reply.answer,
    ...(note ? { note } : {}),
    ...(always ? { standing: always } : {}),
  };
}

async function openOnes(session: Session, options: AnswerOptions): Promise<Notification[]> {
  const project = options.all ? undefined : await session.inboxProject();
  const { notifications } = await session.ledger.notifications.list({ projectId: project?.id });
  return notifications;
}

async function interactively(session: Session, open: Notification[], options: AnswerOptions): Promise<void> {
  if (open.length === 0) {
    tell('Nothing waits for you.');
    return;
  }
  if (isPipeMode(process.env)) return overPipe(session, open, options);
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    const [first] = open;
    throw new FermataError(
      'invalid',
      `There is no terminal to ask in. Give the answer as a value: fermata answer ${first?.id} VALUE`,
    );
  }
  const io = { input: process.stdin, output: process.stderr };
  const result = await answerInTerminal(session.ledger, open, session.by('terminal'), io);
  if (options.format === 'json') await printJson({ settled: result.settled });
  else for (const settled of result.settled) await report(settled, options);
  if (result.refused.length > 0) process.exitCode = exit.failed;
  if (result.interrupted) {
    tell('Interrupted. What you answered so far is stored; "fermata answer" goes on with the rest.');
    process.exitCode = exit.interrupted;
  }
}

async function overPipe(session: Session, open: Notification[], options: AnswerOptions): Promise<void> {
  const items = open.flatMap((of) =>
    of.questions.map((question) =>
      pipeItem(of, question, of.questions.length > 1 ? `${of.id}/${question.id}` : of.id),
    ),
  );
  const { openPipe } = await import('../pipe.ts');
  const pipe = openPipe(session, items);
  const isThrough = await interruptible((signal) => pipe.askAll(signal).finally(() => pipe.close()));
  for (const { projectId, id } of open) {
    const notification = await session.ledger.notifications.get(projectId, id);
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
  const said = notification.responses.map((r) =>
    r.kind === 'answered' ? describeAnswer(r.answer) : `(${r.kind})`,
  );
  const left = notification.questions.length - notification.responses.length;
  const rest = left > 0 ? `; ${left} question(s) still open` : '';
  await print(`${repeat ? 'Already settled' : 'Stored'}: ${notification.id} ${said.join(' · ')}${rest}`);
}
