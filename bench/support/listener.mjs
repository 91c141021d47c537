// The other process: it sees each question, waits for its answer, and prints when (by the clock that all
// processes share).
import { openLedger } from '../../dist/index.js';

const [, , place, project] = process.argv;
const ledger = await openLedger(place, {});
const say = (what) => process.stdout.write(`${what} ${process.hrtime.bigint()}\n`);

const stop = new AbortController();
process.stdin.on('end', () => stop.abort()).resume();
say('ready');
for await (const event of ledger.events.watch(project, 0, stop.signal)) {
  if (event.type !== 'notification.added') continue;
  const waiting = ledger.notifications.wait(project, event.data.notification.id, stop.signal);
  say('heard');
  if (await waiting) say('answered');
}
await ledger.close();
