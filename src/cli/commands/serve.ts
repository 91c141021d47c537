import { once } from 'node:events';
import type { Command } from 'commander';
import { isServer } from '../../schema/address.ts';
import { keepGiven } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { type CommonOptions, wholeNumber } from '../command.ts';
import { currentActor, withCommandContext } from '../command-context.ts';
import { describeReachability } from '../describe-reachability.ts';
import { environmentHelp } from '../environment.ts';
import { interruptible } from '../interrupt.ts';
import { openInBrowser } from '../open-in-browser.ts';
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
        const { startHub } = await import('../../hub/hub.ts');
        const { sinksFromEnv } = await import('../../channels/notices/sinks-from-env.ts');
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
          await interruptible(async (signal) => {
            const link = await hub.loginLink();
            await announce(options, hub, link);
            if (options.open) await openInBrowser(link, settings.home.value);
            if (!signal.aborted) await once(signal, 'abort');
          });
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
