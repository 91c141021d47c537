import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fermata, freshFolder } from '../support/fermata.ts';
import { initRepository } from '../work/support/repository.ts';

it.each([
  [['protocol', 'leak']],
  [['protocol', '--lint', '.claude/protocols/leak.yaml']],
  [['audit', 'plans/x']],
  [['plan', 'show', 'plans/x']],
  [['plan', 'status', 'plans/x']],
  [['plan', 'read-prompt', '1']],
  [['knowledge', 'search', 'docs', 'where is the treasure']],
  [['plan', 'cleanup-debug-logs']],
  [['prd', 'show']],
])('a link in a worktree shows an agent nothing outside, with %j (BIND-14)', async (words) => {
  const cwd = freshFolder();
  const secret = join(cwd, '..', 'secret.md');
  writeFileSync(secret, '# Treasure\n\nThe treasure is in the zq7 garden.\n// [DEBUG-TEMP]\nzq7\n\n');
  initRepository(cwd);
  for (const folder of ['docs', 'plans/x', '.claude/protocols'])
    mkdirSync(join(cwd, folder), { recursive: true });
  for (const name of ['docs/a.md', 'plans/x/MASTER_PLAN.md', '.claude/protocols/leak.yaml', 'a.js', 'PRD.md'])
    symlinkSync(secret, join(cwd, name));
  const env = { FERMATA_AGENT: 'command', FERMATA_CONFINED_TO: cwd };
  const { stdout, stderr } = await fermata(words, { cwd, env });
  expect(stdout + stderr).not.toContain('zq7');
});
