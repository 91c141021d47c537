import { cmd } from '../../schema/command-line.ts';
import type { Config } from '../../schema/config.ts';
import { ineffective } from '../../work/trust/gather.ts';
import type { CommandContext } from '../command-context.ts';

/** A configuration file that is not in effect yet, and what it would set. */
export interface UntrustedConfig {
  file: string;
  state: 'new' | 'changed';
  settings: Config;
  /** Why it cannot be trusted. */
  problem?: string;
}

export async function untrustedConfig({
  ledger,
  settings,
}: CommandContext): Promise<UntrustedConfig | undefined> {
  const { file, own } = settings;
  if (!file) return undefined;
  const trusted = await ledger.trust.find(own.id, 'config');
  if (trusted?.content === file.text) return undefined;
  const { path, config, problem } = file;
  return {
    ...{ file: path, state: trusted ? 'changed' : 'new', settings: config },
    ...(problem === undefined ? {} : { problem }),
  };
}

export function untrustedText({ file, state, settings, problem }: UntrustedConfig): string {
  if (problem !== undefined) return ineffective(problem);
  const { $schema, ...would } = settings;
  const what = Object.keys(would).length === 0 ? 'nothing' : JSON.stringify(would);
  const counts =
    state === 'new'
      ? 'has no effect until you trust it'
      : 'has changed, so the version you trusted still applies';
  return `${file} ${counts}. It would set ${what}. Run "${cmd`trust`}" to review it.`;
}
