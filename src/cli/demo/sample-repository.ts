import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commitAll } from '../../git/commit.ts';
import { git } from '../../git/git.ts';
import { branchTip, currentBranch } from '../../git/refs.ts';
import type { DemoIssue } from './sample-issues.ts';
import type { DemoStage } from './stage.ts';

const files: Record<string, string> = {
  'package.json': `${JSON.stringify({ name: 'shelf', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'README.md': '# Shelf\n\nA list of books. `npm test` runs its tests.\n',
  'src/shelf.js':
    "export const shelf = [{ title: 'Dune', year: 1965 }, { title: 'The Left Hand of Darkness', year: 1969 }];\n",
  'test/shelf.test.js':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { shelf } from '../src/shelf.js';\n\ntest('there are books', () => assert.ok(shelf.length > 0));\n",
};

/** Creates the sample repository, and a branch with the issues of this round. Leaves existing ones alone. */
export async function makeRepository(
  { repository, branch }: DemoStage,
  issues: readonly DemoIssue[],
): Promise<void> {
  if (!existsSync(join(repository, '.git'))) {
    await git(repository, ['init', '--quiet', '--initial-branch', 'main']);
    await git(repository, ['config', 'user.name', 'Demo']);
    await git(repository, ['config', 'user.email', 'demo@localhost']);
  }
  if ((await branchTip(repository, 'main')) === undefined) {
    for (const [name, text] of Object.entries(files)) write(repository, name, text);
    await commitAll(repository, 'A shelf');
  }
  if ((await currentBranch(repository)) !== branch) {
    const exists = (await branchTip(repository, branch)) !== undefined;
    await git(repository, ['switch', '--quiet', ...(exists ? [branch] : ['-c', branch, 'main'])]);
  }
  if ((await branchTip(repository, branch)) !== (await branchTip(repository, 'main'))) return;
  for (const { number, title, body } of issues)
    write(repository, `issues/${number}.md`, `# ${title}\n\n${body ?? ''}\n`);
  await commitAll(repository, 'The issues');
}

function write(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}
