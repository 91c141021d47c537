import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const LAUNCHER = fileURLToPath(new URL('../../bin/fermata.cjs', import.meta.url));

/** Starts `fermata serve` in the folder of a known project, because it would add any other folder as a project. */
export async function startHub(cwd, home) {
  const child = spawn(process.execPath, [LAUNCHER, 'serve', '--port', '0'], {
    cwd,
    env: { PATH: process.env.PATH, HOME: home, FERMATA_HOME: home, FERMATA_USER: 'ann' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    child.kill();
    await once(child, 'close');
  };
  for await (const line of createInterface(child.stdout)) {
    const loginLink = /http\S+#login=\S+/.exec(line)?.[0];
    if (loginLink) return { loginLink, stop };
  }
  throw new Error('The hub ended before it printed a login link.');
}
