import { allRows } from '../../ledger/engine/stored.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Run } from '../../schema/run.ts';
import type { ChatMessage } from '../../schema/task.ts';
import { visible } from '../../schema/visible.ts';

/** A message as agents get it. It names person and time, so that two equal messages differ. */
export const messageText = ({ by, at, text }: ChatMessage): string =>
  `${visible(by.actor.name)} says (${at}):\n${text.trim()}`;

const TAKE_UP =
  'Take this into account in your current work. If you were asking something, ask it again. If you have already given your final answer, correct your work and give the whole answer again.';

/** What people said since, for a session that knows the rest; empty if they said nothing. */
export function wordsOf(messages: readonly ChatMessage[]): string {
  return messages.length === 0 ? '' : [...messages.map(messageText), TAKE_UP].join('\n\n');
}

/** In characters; of a longer conversation, a new session gets only the end. */
const ROOM = 20_000;

/** What was said about the task of a run, for a new session: text after its prompt, and which messages are news. */
export async function conversationOf(
  { tasks }: Ledger,
  { projectId, taskId }: Run,
): Promise<{ text: string; news: ChatMessage[] }> {
  if (taskId === null) return { text: '', news: [] };
  const chat = await allRows<ChatMessage>((limit, last) =>
    tasks.chat(projectId, taskId, { limit, after: last?.id }),
  );
  const said = chat.filter(({ notificationId }) => notificationId === null);
  if (said.length === 0) return { text: '', news: [] };
  const kept = said.filter(fits(said));
  const left = said.length - kept.length;
  const note = left === 0 ? [] : [`(${left} earlier messages left out)`];
  const text = ['# What was said about it', ...note, ...kept.map(messageText)].join('\n\n');
  return { text, news: said.filter(isQueued) };
}

const isQueued = ({ delivery }: ChatMessage) => delivery === 'queued';

/** The news always fit; of the rest, the newest. */
function fits(said: readonly ChatMessage[]): (message: ChatMessage) => boolean {
  let left = ROOM;
  const old = said.filter((message) => !isQueued(message)).toReversed();
  const cut = old.findIndex((message) => {
    left -= messageText(message).length;
    return left < 0;
  });
  const tooOld = new Set(cut < 0 ? [] : old.slice(cut));
  return (message) => !tooOld.has(message);
}
