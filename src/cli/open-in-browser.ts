import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { tell } from './output.ts';

/**
 * Opens a link that holds a secret. The program that opens it gets the name of a file that leads there, because
 * everybody on this machine can read the arguments of a program.
 */
export async function openInBrowser(link: string, home: string): Promise<void> {
  const file = join(home, 'open-inbox.html');
  writeFileSync(
    file,
    `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${link}">`,
    {
      mode: 0o600,
    },
  );
  const [program, ...args] = opener(pathToFileURL(file).href);
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  child.unref();
  try {
    await once(child, 'spawn');
  } catch {
    tell(`No browser could be opened here (${program} is missing). Open the link yourself.`);
  }
}

function opener(url: string): [string, ...string[]] {
  switch (process.platform) {
    case 'darwin':
      return ['open', url];
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler', url];
    default:
      return ['xdg-open', url];
  }
}
