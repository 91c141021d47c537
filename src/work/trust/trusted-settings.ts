import type { Settings } from '../../config/settings.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { trustedConfig } from '../../ledger/projects/hil-config.ts';
import type { Config } from '../../schema/config.ts';

/** The settings that apply: the trusted version of the repository's file, whatever the file contains now. */
export async function trustedSettings(
  ledger: Ledger,
  settings: Settings,
  load: (config: Config) => Settings,
): Promise<Settings> {
  const trusted = await ledger.trust.find(settings.own.id, 'config');
  return trusted ? load(trustedConfig(trusted.content)) : settings;
}
