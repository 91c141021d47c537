import { gitError } from './git.ts';
import { tryCommitting } from './identity.ts';

/** The result of a merge, and the message for its commit. */
interface Merge {
  tree: string;
  ours: string;
  theirs: string;
  message: string;
}

/** Writes the commit of a merge, without moving a branch. */
export async function commitMerge(folder: string, { tree, ours, theirs, message }: Merge): Promise<string> {
  const args = ['commit-tree', '-p', ours, '-p', theirs, '-F', '-', tree];
  const result = await tryCommitting(folder, args, { input: message });
  if (result.code === 0) return result.stdout.toString('utf8').trim();
  throw gitError(args, result);
}
