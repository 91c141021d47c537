import { once } from 'node:events';
import { startOwn } from './own-command.ts';
import type { DemoStage } from './stage.ts';

/** Serves the demo's own inbox too, so that everything can also be answered in the browser; without a link if that fails. */
export async function withFermataHub<T>(
  stage: DemoStage,
  signal: AbortSignal,
  play: (link: string | undefined) => Promise<T>,
): Promise<T> {
  const hub = startOwn(stage, { args: ['serve', '--port', '0'], stdio: ['ignore', 'pipe', 'ignore'] });
  const link = await linkOf(hub, signal);
  try {
    return await play(link);
  } finally {
    if (hub.exitCode === null && hub.signalCode === null) {
      hub.kill('SIGTERM');
      await once(hub, 'exit');
    }
  }
}

async function linkOf(hub: ReturnType<typeof startOwn>, signal: AbortSignal): Promise<string | undefined> {
  let said = '';
  for await (const chunk of hub.stdout ?? []) {
    said += String(chunk);
    const link = /Log in \(once\): (\S+)\s/.exec(said)?.[1];
    if (link !== undefined || signal.aborted) return link;
  }
  return undefined;
}
