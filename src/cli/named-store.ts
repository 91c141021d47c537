import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { nearNames } from '../config/near.ts';
import type { Settings } from '../config/settings.ts';
import { isServer } from '../schema/address.ts';
import { FermataError } from '../schema/error.ts';

/** The ledger's file does not exist yet. */
export const isMissing = ({ store }: Settings) => !isServer(store.value) && !existsSync(store.value);

/** The person named a file that does not exist: perhaps a new ledger, perhaps a typing mistake. */
export const isNewStore = (settings: Settings) => settings.store.from !== 'default' && isMissing(settings);

/** For commands that look something up or answer, which would find nothing in a new ledger. */
export function refuseNewStore(settings: Settings): void {
  if (!isNewStore(settings)) return;
  const { value, from } = settings.store;
  const [near] = nearNames(basename(value), filesIn(dirname(value)));
  const meant = near === undefined ? '' : ` Did you mean ${join(dirname(value), near)}?`;
  throw new FermataError(
    'invalid',
    `There is no ledger at ${value} (${from}).${meant} Commands that ask or add something create one.`,
  );
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
