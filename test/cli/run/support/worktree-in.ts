import { tmpdir } from 'node:os';

/** The worktree that an agent is in, as its CLI tells the model. */
export function worktreeIn(request: unknown): string {
  const rests = JSON.stringify(request).split(tmpdir());
  const found = rests.map(
    (rest) => /^[^"\\]+?\/worktrees\/work--implementation-1-[0-9a-f]{8}/.exec(rest)?.[0],
  );
  return `${tmpdir()}${found.find(Boolean) ?? ''}`;
}
