import { findRepository } from '../config/repository.ts';
import { git } from './git.ts';

/** The remotes of the repository around a folder, with the address that git would fetch from; empty without a repository. */
export async function listRemotes(folder: string): Promise<{ name: string; address: string }[]> {
  if (!findRepository(folder)) return [];
  const listed = await git(folder, ['remote', '--verbose']);
  return [...listed.matchAll(/^(\S+)\t(.+) \(fetch\)/gm)].map(([, name = '', address = '']) => ({
    name,
    address,
  }));
}
