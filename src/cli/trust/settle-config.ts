import { trustsAll } from '../../app/trust.ts';
import type { Settings } from '../../config/settings.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { By } from '../../schema/actor.ts';
import { configContent } from '../../work/trust/gather.ts';
import { accept, untrusted } from '../../work/trust/trust.ts';
import { tell } from '../output.ts';
import type { TrustOptions } from './trust-options.ts';

/** Accepts a configuration file that the person trusted in advance, or has approved since. Asks nothing. */
export async function settleConfig(
  ledger: Ledger,
  { file, own }: Settings,
  by: By,
  options: TrustOptions,
): Promise<void> {
  if (!file) return;
  const left = await untrusted(ledger, own.id, [configContent(file)]);
  if (left.length === 0 || !trustsAll(process, options)) return;
  await ledger.projects.ensure(own);
  await accept(ledger, own.id, left, by);
  if (options.trust) tell(`Trusted: ${file.path}.`);
}

/** The project that a trusted file names uses that file too. */
export async function settleNamedProject(ledger: Ledger, { project, own }: Settings): Promise<void> {
  const trusted = await ledger.trust.find(own.id, 'config');
  const there = await ledger.trust.find(project.value.id, 'config');
  if (!trusted || there?.hash === trusted.hash) return;
  await ledger.projects.ensure(project.value);
  await ledger.trust.accept(project.value.id, [trusted], trusted.by);
}
