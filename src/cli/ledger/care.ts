import { loadSettings, type Settings } from '../../config/settings.ts';
import { refuseAgent } from '../../ledger/access/refuse-agent.ts';
import type { CareOptions } from '../../ledger/care/progress.ts';
import type { Store } from '../../ledger/engine/store.ts';
import { openStore } from '../../ledger/ledger.ts';
import type { CommonOptions } from '../command.ts';
import { currentActor } from '../command-context.ts';
import { interruptible } from '../interrupt.ts';
import { refuseNewStore } from '../named-store.ts';
import { progressLine } from '../progress-line.ts';

/** The settings, for a person only: what agents do in the ledger is limited to their task. */
export function careSettings(options: CommonOptions, deed: string): Settings {
  refuseAgent({ actor: currentActor(), channel: 'command' }, deed);
  return loadSettings(process.cwd(), process.env, options);
}

/** Runs `work` on the ledger's store, which has to exist. */
export async function withKnownStore<T>(settings: Settings, work: (store: Store) => Promise<T>): Promise<T> {
  refuseNewStore(settings);
  const store = await openStore(settings.store.value);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Shows how far `work` is, and ends it at Ctrl-C. */
export async function withProgress<T>(
  deed: string,
  work: (options: Required<CareOptions>) => Promise<T>,
): Promise<T> {
  const line = progressLine();
  try {
    return await interruptible((signal) =>
      work({
        signal,
        onProgress: (done, total) =>
          line.show(`${deed} … ${Math.floor((100 * done) / Math.max(total, 1))} %`),
      }),
    );
  } finally {
    line.clear();
  }
}

const MB = 1024 * 1024;

export const megabytes = (bytes: number) => `${(bytes / MB).toFixed(1)} MB`;
