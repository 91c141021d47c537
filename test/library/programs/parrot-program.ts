import { openContext, openLedger, runAgent } from 'fermata-cli';
import { parrotDriver } from './parrot-driver.js';

const ledger = await openLedger('ledger.db');
const context = await openContext(ledger, { name: 'Ada' });
const driver = parrotDriver(process.argv[2] ?? '');
const { end, run } = await runAgent(context, { driver, name: 'paint', prompt: 'Paint it' });
console.log(
  JSON.stringify({ reason: end.reason, text: end.text, status: run.status, skipped: end.skippedLines }),
);
await ledger.close();
