import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { sinksFromEnv } from '../../channels/notices/sinks-from-env.ts';
import { writeAtOnce } from '../../files/write-at-once.ts';
import { startHub } from '../../hub/hub.ts';
import { isServer } from '../../schema/address.ts';
import { keepGiven } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { type CommonOptions, wholeNumber } from '../command.ts';
import { currentActor, withCommandContext } from '../command-context.ts';
import { environmentHelp } from '../environment.ts';
import { interruptible } from '../interrupt.ts';
import { whileSound } from '../ledger/while-sound.ts';
import { describeError, print, tell } from '../output.ts';

interface ServeOptions extends CommonOptions {
  port: number;
  host: string;
  publicUrl?: URL;
  open?: true;
}

export function define(command: Command): void {
  command
    .description(
      'Serve the web inbox, the REST API and the WebSocket for all projects of the ledger, until Ctrl-C.',
    )
    .option('-p, --port <number>', 'the port; 0 picks a free one', wholeNumber('--port', 0, 65535), 4777)
    .option('--host <address>', 'the address to listen on; the default allows only this machine', '127.0.0.1')
    .option('--public-url <url>', "the hub's address for other devices; links start with it", publicUrl)
    .option('--open', 'open the inbox in your browser, logged in')
    .addHelpText(
      'after',
      `
Examples:
  fermata serve --open
  fermata serve --store postgres://hub@db/fermata --host 0.0.0.0 --public-url https://hub.example.org
  curl -H "Authorization: Bearer $(cat ~/.local/share/fermata/token)" http://127.0.0.1:4777/notifications

It prints a link for one login. With --format json, the first line is {"url","token"}.

Environment:
${environmentHelp(['FERMATA_KEY', 'FERMATA_NOTIFY_WEBHOOK', 'FERMATA_NOTIFY_NTFY', 'FERMATA_NTFY_TOKEN', 'FERMATA_NOTIFY_DESKTOP'])}`,
    )
    .action(async (options: ServeOptions) => {
      await withCommandContext(options, async ({ ledger, settings, project }) => {
        const actor = currentActor();
        if (actor.kind === 'agent') {
          throw new FermataError(
            'forbidden',
            'An agent may not start a hub, because it could answer in your name. Start it yourself.',
          );
        }
        // On a shared store the hub serves everybody's projects, whatever folder it runs in.
        if (!isServer(settings.store.value)) await project();
        // A hub's messages are read on other machines, where its --store means nothing.
        keepGiven({});
        const { host, port, publicUrl } = options;
        const sinks = sinksFromEnv(process.env);
        const hub = await startHub({
          ...{ ledger, host, port, publicUrl },
          home: settings.home.value,
          key: process.env.FERMATA_KEY,
          owner: actor.name,
          plans: { store: settings.store.value, env: process.env },
          sinks,
          report: (error) => tell(`fermata: ${describeError(error, options.debug ?? false)}`),
        });
        try {
          const names = sinks.map(({ name }) => name);
          for (const words of describeReachability({ url: hub.url, host, publicUrl, sinks: names }))
            tell(words);
          // Listens for signals first, because whoever reads the address may stop the hub right away.
          await interruptible((interrupted) =>
            whileSound(settings.store.value, interrupted, async (signal) => {
              const link = await hub.loginLink();
              await announce(options, hub, link);
              if (options.open) await openInBrowser(link, settings.home.value);
              if (!signal.aborted) await once(signal, 'abort');
            }),
          );
          tell('Stopping …');
        } finally {
          await hub.stop();
        }
      });
    });
}

async function announce(
  options: ServeOptions,
  { url, token }: { url: string; token: string },
  link: string,
): Promise<void> {
  if (options.format === 'json') await print(JSON.stringify({ url, token }));
  else await print(`The hub is at ${url}\nLog in (once, within 10 minutes): ${link}`);
}

function publicUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash;
  if (plain && url.username === '') return url;
  throw new FermataError(
    'invalid',
    `--public-url: "${text}" is not valid. Use an address such as https://hub.example.org, without a path.`,
  );
}

/**
 * Opens a link that contains a secret. The browser gets the name of a file that leads there, because everybody on this
 * machine can read a program's arguments.
 */
async function openInBrowser(link: string, home: string): Promise<void> {
  try {
    const file = join(home, 'open-inbox.html');
    writeAtOnce(
      file,
      `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${link}">`,
      0o600,
    );
    const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
    const child = spawn(opener, [pathToFileURL(file).href], { stdio: 'ignore', detached: true });
    child.unref();
    await once(child, 'spawn');
  } catch (error) {
    tell(`No browser could be opened here (${(error as Error).message}). Open the link yourself.`);
  }
}

interface Reach {
  /** The address for programs on this machine. */
  url: string;
  host: string;
  publicUrl?: URL | undefined;
  /** The names of the notice sinks. */
  sinks: string[];
}

/** Who can reach a hub, and whether a phone can open its links. */
export function describeReachability(
  { url, host, publicUrl, sinks }: Reach,
  addresses = ownAddresses(),
): string[] {
  const words: string[] = [];
  if (!isLoopback(host)) {
    const { port } = new URL(url);
    const all = host === '0.0.0.0' || host === '::' ? addresses : [host];
    const places = all.map(
      (each) => `http://${isIPv4(each) || !each.includes(':') ? each : `[${each}]`}:${port}`,
    );
    const at = places.length > 0 ? ` at ${places.join(', ')}` : '';
    words.push(`Others can reach this hub${at}. It speaks plain HTTP, so put TLS in front of it.`);
  }
  if (sinks.length > 0) words.push(`Notices are sent through ${sinks.join(', ')}.`);
  const linksHere = publicUrl === undefined && isLoopback(new URL(url).hostname);
  if (linksHere && sinks.some((name) => name !== 'desktop'))
    words.push(
      `Their links start with ${url}, which other devices cannot open. Pass --public-url with an address that they can reach.`,
    );
  return words;
}

const isLoopback = (host: string) => ['127.0.0.1', '::1', '[::1]', 'localhost'].includes(host);

function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address);
}
