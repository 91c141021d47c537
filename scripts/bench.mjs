// `npm run bench -- NAME [arguments]` runs bench/NAME.bench.mjs against dist; without NAME it lists them.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNode } from './processes.mjs';
import { ensureBuilt, ensureInstalled, runScript } from './setup.mjs';

const BENCH = fileURLToPath(new URL('../bench', import.meta.url));
const SUFFIX = '.bench.mjs';
const [name, ...args] = process.argv.slice(2);

await runScript(async () => {
  const file = join(BENCH, `${name}${SUFFIX}`);
  if (name === undefined || !existsSync(file)) return list();
  await ensureInstalled();
  await ensureBuilt();
  delete process.env.NODE_EXTRA_CA_CERTS; // adds about 50 ms to each start of Node 20, which we do not want to measure
  return runNode(file, ...args);
});

function list() {
  const names = existsSync(BENCH) ? readdirSync(BENCH).filter((file) => file.endsWith(SUFFIX)) : [];
  const say = name === undefined ? console.log : console.error;
  if (name !== undefined) say(`There is no bench "${name}".`);
  say(
    [
      'npm run bench -- NAME, where NAME is one of:',
      ...names.map((file) => `  ${file.slice(0, -SUFFIX.length)}`),
    ].join('\n'),
  );
  return name === undefined ? 0 : 2;
}
