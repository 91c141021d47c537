import { gitList } from './git.ts';

export interface CheckoutStatus {
  /** Tracked files that are changed, staged or not. */
  changed: string[];
  untracked: string[];
}

/** What a person would call uncommitted. */
export async function checkoutStatus(folder: string): Promise<CheckoutStatus> {
  const parts = await gitList(folder, [
    'status',
    '--porcelain=v1',
    '-z',
    '--untracked-files=all',
    '--no-renames',
  ]);
  const pick = (wanted: boolean) =>
    parts.filter((part) => part.startsWith('??') === wanted).map((part) => part.slice(3));
  return { changed: pick(false), untracked: pick(true) };
}
