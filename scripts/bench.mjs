// `npm run bench -- NAME [arguments]` bundles bench/NAME.bench.ts and runs it beside dist; without NAME it lists them.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNode } from './processes.mjs';
import { ensureBuilt, ensureInstalled, runScript } from './setup.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BENCH = join(ROOT, 'bench');
const SUFFIX = '.bench.ts';
const [name, ...args] = process.argv.slice(2);

await runScript(async () => {
  const input = join(BENCH, `${name}${SUFFIX}`);
  if (name === undefined || !existsSync(input)) return list();
  await ensureInstalled();
  await ensureBuilt();
  process.chdir(ROOT);
  delete process.env.NODE_EXTRA_CA_CERTS; // adds about 50 ms to each start of Node 20, which we do not want to measure
  const { bundle, bundlePath } = await import('./load-source.mjs'); // needs what was just installed
  try {
    await bundle(input, bundlePath);
    return await runNode(bundlePath, ...args);
  } finally {
    rmSync(bundlePath, { force: true });
  }
});

function list() {
  const names = readdirSync(BENCH).filter((file) => file.endsWith(SUFFIX));
  const say = name === undefined ? console.log : console.error;
  if (name !== undefined) say(`There is no bench "${name}".`);
  say(
    [
      'npm run bench -- NAME, where NAME is one of the following. --quick only shows that it runs.',
      ...names.map((file) => `  ${file.slice(0, -SUFFIX.length)}`),
    ].join('\n'),
  );
  return name === undefined ? 0 : 2;
}
