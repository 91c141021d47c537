import { expect, it } from 'vitest';
import { agentFilesFor } from '../../../src/work/trust/gather.ts';
import { untrusted } from '../../../src/work/trust/trust.ts';
import { mergeWorktree } from '../../../src/work/worktrees/merge-worktree.ts';
import { openWorktree } from '../../../src/work/worktrees/open-worktree.ts';
import { ann } from '../../ledger/support/people.ts';
import { commit, freshRepository, loginPhase, sh, write } from '../support/repository.ts';

const files = {
  'fermata.config.json': '{"hilConfig":"full"}\n',
  '.mcp.json': '{"a":1}\n',
  'packages/shop/.mcp.json': '{"b":1}\n',
  '.claude/protocols/own.yaml': 'steps: []\n',
  '.claude/protocols/deeper/none.yaml': 'steps: []\n',
  '.claude/fermata/prompts/coder.md': '{{input}}\n',
  '.claude/fermata/templates/PHASE_GENERIC.md': '# Phase\n',
};

async function withSteering() {
  const repository = await freshRepository();
  const worktree = await openWorktree(repository.worktreeContext, loginPhase('1'));
  commit(worktree.path, 'work', files);
  const { ledger, worktreeContext } = repository;
  const merge = () => mergeWorktree(worktreeContext, worktree, { allow: async () => ann });
  const trusted = async () =>
    Object.fromEntries(
      (await ledger.trust.list(worktreeContext.projectId)).map(({ name, content }) => [name, content]),
    );
  return { ...repository, worktree, merge, trusted };
}

it('BIND-12 a merge that a person approved is trusted as merged, whatever is checked out or changed there', async () => {
  const { main, merge, trusted } = await withSteering();
  sh(main, 'switch', '-q', 'main');
  write(main, { '.mcp.json': '{"evil":1}\n' });
  await merge();
  expect(await trusted()).toEqual({
    config: files['fermata.config.json'],
    'agent:.mcp.json': files['.mcp.json'],
    'agent:packages/shop/.mcp.json': files['packages/shop/.mcp.json'],
    'protocol:own': files['.claude/protocols/own.yaml'],
    'template:PHASE_GENERIC': files['.claude/fermata/templates/PHASE_GENERIC.md'],
    'prompt:coder': files['.claude/fermata/prompts/coder.md'],
  });
});

it('BIND-25 a configuration that is not valid is not trusted with a merge', async () => {
  const { worktree, merge, trusted } = await withSteering();
  commit(worktree.path, 'broken', { 'fermata.config.json': '{' });
  await merge();
  expect(Object.keys(await trusted())).not.toContain('config');
  expect(Object.keys(await trusted())).toContain('agent:.mcp.json');
});

it('BIND-12 nobody is asked again about a file in a subfolder that was approved with a merge', async () => {
  const { main, ledger, worktreeContext, merge } = await withSteering();
  await merge();
  const contents = agentFilesFor(main, `${main}/packages/shop`);
  expect(contents.map(({ name }) => name)).toEqual(['agent:.mcp.json', 'agent:packages/shop/.mcp.json']);
  expect(await untrusted(ledger, worktreeContext.projectId, contents)).toEqual([]);
});

it('BIND-12 files not trusted before a merge are not trusted after it; a crash before trusting is repaired later', async () => {
  const { main, worktree, worktreeContext, merge, trusted } = await withSteering();
  commit(main, 'by somebody', { 'fermata.config.json': '{}\n' });
  sh(worktree.path, 'merge', '-q', '-X', 'ours', 'login');
  await mergeWorktree(worktreeContext, worktree);
  expect(await trusted()).toEqual({});
  commit(main, 'on top', { 'a.txt': 'a\n' });
  await merge();
  const names = Object.keys(await trusted());
  expect(names).toContain('agent:.mcp.json');
  expect(names).not.toContain('config');
});
