import { once } from 'node:events';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { ownProgram } from '../../agents/process/own-program.ts';
import { FermataError } from '../../schema/error.ts';
import { type CommonOptions, wholeNumber } from '../command.ts';
import { interruptible } from '../interrupt.ts';
import { openInBrowser } from '../open-in-browser.ts';
import { describeError, print, tell } from '../output.ts';
import { reachWords } from '../reach-words.ts';
import { currentActor, withSession } from '../session.ts';

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
    .option(
      '-p, --port <number>',
      'where to listen; 0 takes any that is free',
      wholeNumber('--port', 0, 65535),
      4777,
    )
    .option('--host <address>', 'listen there instead of on this machine alone', '127.0.0.1')
    .option('--public-url <url>', 'the address under which others reach it, for links', publicUrl)
    .option('--open', 'open the inbox in your browser, logged in')
    .addHelpText(
      'after',
      `
Examples:
  fermata serve --open
  fermata serve --store postgres://hub@db/fermata --host 0.0.0.0 --public-url https://hub.example.org
  curl -H "Authorization: Bearer $(cat ~/.local/share/fermata/token)" http://127.0.0.1:4777/notifications

It prints a link that logs one browser in, once. With --format json its first line is {"url","token"}.`,
    )
    .action(async (options: ServeOptions) => {
      await withSession(options, async ({ ledger, settings, project }) => {
        const actor = currentActor();
        if (actor.kind === 'agent') {
          throw new FermataError(
            'forbidden',
            'An agent may not start a hub: it would answer in your name. Start it yourself.',
          );
        }
        await project();
        const { startHub } = await import('../../hub/hub.ts');
        const { sinksFromEnv } = await import('../../channels/notices/sinks-from-env.ts');
        const { host, port, publicUrl } = options;
        const sinks = sinksFromEnv(process.env);
        const hub = await startHub({
          ...{ ledger, host, port, publicUrl },
          home: settings.home.value,
          owner: actor.name,
          web: webFolder(),
          sinks,
          report: (error) => tell(`fermata: ${describeError(error, options.debug ?? false)}`),
        });
        try {
          const names = sinks.map(({ name }) => name);
          for (const words of reachWords({ url: hub.url, host, publicUrl, sinks: names })) tell(words);
          // Whoever reads the address may stop it at once.
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
  else await print(`The hub is at ${url}\nLog in (once): ${link}`);
}

/** The built page of this installation. */
function webFolder(): string {
  return join(dirname(ownProgram('fermata.cjs')), '../dist/web');
}

function publicUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash;
  if (plain && url.username === '') return url;
  throw new FermataError(
    'invalid',
    `--public-url: "${text}" is no address like https://hub.example.org, without a path.`,
  );
}
