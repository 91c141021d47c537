// `npm run pictures`: fills a ledger with a story, starts a real hub on it, and takes the pictures in docs/images.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHub } from './pictures/hub.mjs';
import { ensureBuilt, ensureInstalled, runScript } from './setup.mjs';

await runScript(async () => {
  await ensureInstalled();
  await ensureBuilt();
  // These need the installed packages and the build.
  const { fillLedger } = await import('./pictures/fill-ledger.mjs');
  const { takePictures } = await import('./pictures/take-pictures.mjs');
  const folder = mkdtempSync(join(tmpdir(), 'fermata-pictures-'));
  const home = join(folder, 'home');
  try {
    const shown = await fillLedger(folder, home);
    const hub = await startHub(shown.root, home);
    try {
      await takePictures(hub.loginLink, shown);
    } finally {
      await hub.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return 0;
});
