import { tmpdir } from 'node:os';

/** The worktree that an agent is in, from its CLI's prompt to the model. */
export function worktreeIn(request: unknown, phase = '1'): string {
  const wanted = new RegExp(`^[^"\\\\]+?/worktrees/work--shop--implementation-${phase}-[0-9a-f]{12}`);
  const rests = JSON.stringify(request).split(tmpdir());
  const found = rests.map((rest) => wanted.exec(rest)?.[0]);
  return `${tmpdir()}${found.find(Boolean) ?? ''}`;
}
