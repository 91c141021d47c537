import { expect, test } from 'vitest';
import { shellCommand } from '../../../src/agents/codex/items.ts';

test.each([
  ["/bin/bash -c 'git add --all'", 'git add --all'],
  ["/usr/bin/zsh -lc 'a && b'", 'a && b'],
  [`/bin/bash -c "git commit -m 'x'"`, "git commit -m 'x'"],
  ["bash -c 'a' extra", "bash -c 'a' extra"],
  ['git status', 'git status'],
  ["/bin/bash -c 'a'; rm -rf /", "/bin/bash -c 'a'; rm -rf /"],
])('DRV-6 %s is shown as %s', (command, shown) => {
  expect(shellCommand({ command, cwd: '/w', reason: null })).toEqual({ command: shown, cwd: '/w' });
});
