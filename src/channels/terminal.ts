import type { Ledger } from '../ledger/ledger.ts';
import { isFinal } from '../ledger/notifications/notification-machine.ts';
import type { Settled } from '../ledger/notifications/settle.ts';
import type { By } from '../schema/actor.ts';
import { FermataError } from '../schema/error.ts';
import type { Notification } from '../schema/notification.ts';
import type { Question } from '../schema/question.ts';
import { visible } from '../schema/visible.ts';
import { Dialog, type Item } from './dialog.ts';
import { type Above, LineReader } from './line-reader.ts';

export interface TerminalResult {
  settled: Settled[];
  /** Ctrl-C or the end of input; earlier answers are stored. */
  interrupted: boolean;
  /** What could not be sent, such as an answer that came second. */
  refused: FermataError[];
}

export interface TerminalIo {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  /** Whether even a single answer is shown and confirmed before it is stored. */
  confirmsOne?: boolean;
  /** What stays above the prompt. */
  above?: Above | undefined;
}

/**
 * Asks a person at a terminal, one question after another. Several answers to one asker are reviewed before they are
 * sent and stored; then the next asker's questions come. Skips what is settled elsewhere meanwhile.
 */
export async function answerInTerminal(
  ledger: Ledger,
  notifications: Notification[],
  by: By,
  io: TerminalIo,
  signal?: AbortSignal,
): Promise<TerminalResult> {
  const reader = new LineReader(io.input, io.output, io.above);
  const hangUp = () => reader.interrupt();
  process.once('SIGTERM', hangUp).once('SIGHUP', hangUp);
  // A closed terminal cannot show anything, but the answers are still stored.
  io.output.on('error', hangUp);
  const result: TerminalResult = { settled: [], refused: [], interrupted: false };
  const total = notifications.flatMap(openQuestions).length;
  let before = 0;
  try {
    for (const listed of byAsker(notifications)) {
      // One asker at a time, so that it can continue early. Its questions are reloaded, because some may be settled by
      // now.
      const items: Item[] = [];
      for (const { projectId, id } of listed)
        items.push(...openItems(await ledger.notifications.get(projectId, id)));
      const dialog = new Dialog(
        ledger,
        reader,
        io.output,
        items,
        { before, total },
        signal,
        io.confirmsOne ?? false,
      );
      result.interrupted = !((await dialog.askAll()) && (await dialog.review()));
      // Also after Ctrl-C: there are no drafts, so what was answered so far is stored.
      for (const { id } of listed) {
        const own = items.filter(({ of }) => of.id === id);
        await send(ledger, own, by, result, io.output);
      }
      if (result.interrupted) break;
      before += listed.flatMap(openQuestions).length;
    }
    return result;
  } finally {
    process.off('SIGTERM', hangUp).off('SIGHUP', hangUp);
    reader.close();
    // Keep the handler for a moment, because a write to a closed terminal fails late.
    setImmediate(() => io.output.off('error', hangUp));
  }
}

function openQuestions({ questions, responses }: Notification): Question[] {
  return questions.filter((question) => !responses.some((response) => response.questionId === question.id));
}

function openItems(of: Notification): Item[] {
  return isFinal(of.status) ? [] : openQuestions(of).map((question) => ({ of, question }));
}

/** The consecutive questions of one asker are answered, reviewed and sent together. */
function byAsker(notifications: Notification[]): Notification[][] {
  const groups: Notification[][] = [];
  for (const each of notifications) {
    const last = groups.at(-1);
    const isSame = (['projectId', 'source', 'sourceId'] as const).every(
      (key) => last?.[0]?.[key] === each[key],
    );
    if (last && isSame) last.push(each);
    else groups.push([each]);
  }
  return groups;
}

async function send(
  ledger: Ledger,
  items: Item[],
  by: By,
  result: TerminalResult,
  output: NodeJS.WriteStream,
): Promise<void> {
  const [first] = items;
  const isAccepted = items.some(({ accepted }) => accepted);
  const responses = items.flatMap((item) => item.response ?? []);
  if (!first) return;
  const { projectId, id } = first.of;
  try {
    if (isAccepted) result.settled.push(await ledger.notifications.acceptProposal(projectId, id, by));
    if (responses.length > 0)
      result.settled.push(await ledger.notifications.resolve(projectId, id, { responses }, by));
  } catch (error) {
    if (!(error instanceof FermataError)) throw error;
    result.refused.push(error);
    output.write(`Not stored: ${visible(error.message)}\n`);
  }
}
