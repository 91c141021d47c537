import { openControllingTerminal } from '../../channels/controlling-terminal.ts';
import { pipeItem } from '../../channels/pipe/pipe-question.ts';
import { answerInTerminal } from '../../channels/terminal.ts';
import type { Notification } from '../../schema/notification.ts';
import type { AskedQuestion } from '../../work/kinds/plan-from-issues/store-questions.ts';
import type { CommandContext } from '../command-context.ts';

/** Asks in this terminal, if there is one. False if a person interrupted it. */
export async function askInTerminal(
  context: CommandContext,
  asked: AskedQuestion[],
  isStdinTaken: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const open = await stillOpen(context, asked);
  const terminal = open.length > 0 ? terminalHere(isStdinTaken) : undefined;
  if (!terminal) return !signal.aborted;
  try {
    const by = context.by('terminal');
    const { interrupted } = await answerInTerminal(context.ledger, open, by, terminal, signal);
    return !interrupted && !signal.aborted;
  } finally {
    terminal.close();
  }
}

/** The questions as a parent process gets them. */
export function pipeItems(asked: AskedQuestion[]) {
  return asked.flatMap(({ question, notification }) =>
    notification.questions.map((stored) => {
      const { gap_type, severity, issues } = question;
      const issue = issues.length === 1 ? issues[0] : undefined;
      return pipeItem(notification, stored, question.id, { gap_type, severity, issue });
    }),
  );
}

async function stillOpen({ ledger }: CommandContext, asked: AskedQuestion[]): Promise<Notification[]> {
  const now = await Promise.all(
    asked.map(({ notification }) => ledger.notifications.get(notification.projectId, notification.id)),
  );
  return now.filter(({ status }) => status === 'open');
}

/** If the issues came through stdin, a person may still be at the terminal. */
function terminalHere(isStdinTaken: boolean) {
  if (!process.stderr.isTTY) return undefined;
  if (isStdinTaken) return openControllingTerminal();
  if (!process.stdin.isTTY) return undefined;
  return { input: process.stdin, output: process.stderr, close: () => undefined };
}
