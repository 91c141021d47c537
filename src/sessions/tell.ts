import { createConnection } from 'node:net';
import type { Ledger } from '../ledger/ledger.ts';
import type { By } from '../schema/actor.ts';
import type { Run } from '../schema/run.ts';
import type { ChatMessage } from '../schema/task.ts';
import { messageText } from './session.ts';

const LIMIT_MS = 2000;

/**
 * Queues a message for a session, and wakes it if its program takes messages on this machine. Otherwise its hooks bring it with the
 * next prompt or at the end of the turn. `woken`: the program took it.
 */
export async function tellSession(
  { runs }: Ledger,
  run: Run,
  text: string,
  by: By,
): Promise<{ message: ChatMessage; woken: boolean }> {
  const message = await runs.tell(run, text, by);
  const { socket } = run.data.for === 'session' ? run.data : {};
  const woken = socket !== undefined && (await send(socket, messageText(message)));
  if (woken) await runs.markMessage(run, message, 'delivered', by);
  return { message: woken ? { ...message, delivery: 'delivered' } : message, woken };
}

/** Claude Code takes one JSON object per line. */
function send(socket: string, content: string): Promise<boolean> {
  const line = `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
  return new Promise((resolve) => {
    const connection = createConnection(socket, () => connection.end(line));
    connection.setTimeout(LIMIT_MS, () => connection.destroy());
    connection.once('error', () => resolve(false)).once('close', (failed) => resolve(!failed));
    connection.resume();
  });
}
