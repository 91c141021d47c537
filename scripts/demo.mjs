// `npm run demo -- [arguments]`: `fermata demo` on a fresh clone.
import { fileURLToPath } from 'node:url';
import { runNode } from './processes.mjs';
import { ensureBuilt, ensureInstalled, runScript } from './setup.mjs';

await runScript(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const launcher = fileURLToPath(new URL('../bin/fermata.cjs', import.meta.url));
  return runNode(launcher, 'demo', ...process.argv.slice(2));
});
