import type { Command } from 'commander';
import { describeAnswer } from '../../channels/present.ts';
import { readReply } from '../../channels/reply.ts';
import { amendmentEffect } from '../../ledger/notifications/amendment-effect.ts';
import { counted } from '../../schema/counted.ts';
import { FermataError } from '../../schema/error.ts';
import type { AmendInput, Notification } from '../../schema/notification.ts';
import { questionTitle } from '../../schema/question-title.ts';
import { visible } from '../../schema/visible.ts';
import type { CommonOptions } from '../command.ts';
import { type CommandContext, refuseOwnSession, withKnownLedger } from '../command-context.ts';
import { print, printJson } from '../output.ts';

interface AmendOptions extends CommonOptions {
  note?: string;
}

/** Given instead of a value: keep this question's answer. */
const KEEP = 'keep';

export function define(command: Command): void {
  command
    .description('Replace an earlier answer. The old one stays on record.')
    .argument('<id>', 'the question or the decision (the beginning of its id is enough)')
    .argument('<values...>', `the new answer, one value per question; "${KEEP}" keeps the old one`)
    .option('--note <text>', 'add a note to the new answer')
    .addHelpText(
      'after',
      `
Examples:
  fermata amend n-4k7 PostgreSQL       free text or the name of an option
  fermata amend n-4k7 2                the second option ("=2" for the text 2)
  fermata amend n-4k7 keep blue        the second of two questions
  fermata amend d-7rp PostgreSQL       what a decision says

It prints what happens next: who gets the new answer and when, or how to have the work redone.
Only a person can amend an answer.`,
    )
    .action(async (id: string, values: string[], options: AmendOptions) => {
      await withKnownLedger(options, (context) => amend(context, id, values, options));
    });
}

async function amend(
  context: CommandContext,
  id: string,
  values: string[],
  options: AmendOptions,
): Promise<void> {
  refuseOwnSession();
  const { ledger, by } = context;
  const { before, decided } = await answered(context, id);
  const input = { responses: responsesOf(before, values, options, decided) };
  const { notification, repeat } = await ledger.notifications.amend(
    before.projectId,
    before.id,
    input,
    by('command'),
  );
  const effect = repeat ? undefined : await amendmentEffect(ledger, notification);
  if (options.format === 'json') return printJson({ notification, repeat, ...(effect ? { effect } : {}) });
  if (!effect) return print(`Nothing changed: ${notification.id} already says ${said(notification)}`);
  await print(`Amended: ${notification.id} ${said(notification)} (was: ${said(before)})`);
  await print(effect.message);
}

/** The question by its own id or by that of a decision, which is about one question of it. */
async function answered(
  { ledger }: CommandContext,
  id: string,
): Promise<{ before: Notification; decided?: string }> {
  if (!id.startsWith('d-')) return { before: await ledger.notifications.find(id) };
  const { projectId, notificationId, question } = await ledger.decisions.get(id);
  return { before: await ledger.notifications.get(projectId, notificationId), decided: question };
}

type Responses = Extract<AmendInput, { responses: unknown }>['responses'];

function responsesOf(
  { id, questions: all, kind }: Notification,
  values: string[],
  { note }: AmendOptions,
  decided?: string,
): Responses {
  const questions = decided === undefined ? all : all.filter((each) => questionTitle(each) === decided);
  const [only] = questions;
  const given = questions.length === 1 && only?.multi ? [values.join(',')] : values;
  if (given.length !== questions.length) {
    const list = questions.map((q, i) => `  ${i + 1}. ${visible(q.text).split('\n')[0]}`).join('\n');
    throw new FermataError(
      'invalid',
      `${id} has ${counted(questions.length, 'question')}, but you gave ${counted(given.length, 'value')}. Give one value for each ("${KEEP}" keeps the old answer):\n${list}`,
    );
  }
  const changed = questions.flatMap((question, index) => {
    const value = given[index] ?? '';
    if (value === KEEP && questions.length > 1) return [];
    const reply = value.trim() === '' ? undefined : readReply(value, question, kind);
    if (reply?.kind === 'answer')
      return [{ questionId: question.id, answer: reply.answer, ...(note ? { note } : {}) }];
    const why = reply && 'message' in reply ? reply.message : 'The new answer is missing.';
    throw new FermataError('invalid', why);
  });
  if (changed.length === 0)
    throw new FermataError(
      'invalid',
      'You kept every answer, so there is nothing to amend. Give at least one new answer.',
    );
  return changed;
}

function said({ responses }: Notification): string {
  const all = responses.map((each) =>
    each.kind === 'answered' ? describeAnswer(each.answer) : `(${each.kind})`,
  );
  return all.join(' · ') || '(no answer)';
}
