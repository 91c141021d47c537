import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for `npm test`, which installs the agent CLIs while the first tests run: see scripts/test.mjs. */
export async function clisInstalled(): Promise<void> {
  const pending = process.env.FERMATA_CLIS_PENDING;
  while (pending && existsSync(pending)) await sleep(100);
}
