import type { Settings } from '../../config/settings.ts';
import { ensureProject, type FolderVisitor } from '../../work/projects/folder-project.ts';
import { configContents } from '../../work/trust/gather.ts';
import { trustsAll } from '../../work/trust/require-trust.ts';
import { accept, untrusted } from '../../work/trust/trust.ts';
import { tell } from '../output.ts';
import type { TrustOptions } from './trust-options.ts';

/** Accepts a configuration file that the person trusted in advance, or has approved since. Asks nothing. False if it is not. */
export async function settleConfig(
  visitor: FolderVisitor,
  settings: Settings,
  options: TrustOptions,
): Promise<boolean> {
  const { ledger, by } = visitor;
  const { file, own } = settings;
  const left = await untrusted(ledger, own.id, configContents(file));
  if (left.length === 0) return true; // approved in the inbox
  if (!trustsAll(process, options)) return false;
  await ensureProject(visitor, settings, own);
  await accept(ledger, own.id, left, by);
  if (options.trust) tell(`Trusted: ${file?.path}.`);
  return true;
}

/** The project that a trusted file names uses that file too. */
export async function settleNamedProject(visitor: FolderVisitor, settings: Settings): Promise<void> {
  const { ledger } = visitor;
  const { project, own } = settings;
  const trusted = await ledger.trust.find(own.id, 'config');
  const there = await ledger.trust.find(project.value.id, 'config');
  if (!trusted || there?.hash === trusted.hash) return;
  await ensureProject(visitor, settings, project.value);
  await ledger.trust.accept(project.value.id, [trusted], trusted.by);
}
