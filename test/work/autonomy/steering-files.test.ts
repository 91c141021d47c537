import { describe, expect, it } from 'vitest';
import { steeringParent, steeringReason, steersAtOnce } from '../../../src/work/autonomy/steering-files.ts';
import { effectiveAtOnce, steeringKinds } from '../../../src/work/autonomy/steering-table.ts';
import { leastTime } from '../../support/least-time.ts';

const names = steeringKinds.flatMap(({ why, files }) =>
  Object.entries(files).flatMap(([program, all]) =>
    all.split(' ').map((name) => ({ name, why: why(program) })),
  ),
);
/** A path that a name of the table stands for. */
const pathOf = (name: string) => name.replaceAll('*', 'x').replace(/\/$/, '/deep/file');
const ci = /^runs in CI or at a deployment, with the project's secrets/;
const tool = /^decides which programs and packages \S+ downloads and runs$/;
const start = /^takes effect as soon as .* starts in the folder$/;
const editor = /^can run programs when the folder is opened in /;
const commits = /^can run programs when someone checks out, commits or pushes/;
const tells = /^tells .* what to do or which programs to run$/;

describe('files that run programs or steer agents', () => {
  it('BIND-22 each name in the table is one for its reason, anywhere and however it is spelled', () => {
    for (const { name, why } of names) {
      const path = pathOf(name);
      const wide = (text: string) =>
        text.replace(/[a-z]/, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0));
      const spellings = [
        path,
        `pkg/a b/${path}`,
        path.toUpperCase(),
        `${path}. .`,
        path.replace(/(?=\/|$)/, '. '),
        `${path.slice(0, 2)}\u200b${path.slice(2)}`,
        wide(path),
        `pkg\\${path.replaceAll('/', '\\')}`,
        `${path}::$DATA`,
      ];
      for (const each of spellings) expect(steeringReason(each), each).toBe(why);
      if (name.endsWith('/')) expect(steeringReason(`a/${path.replace('/deep/file', '')}`), name).toBe(why);
    }
  });

  it('BIND-22 each name is in the table once, and simple enough to be matched in linear time', () => {
    expect(names.map(({ name }) => name).filter((name, at, all) => all.indexOf(name) !== at)).toEqual([]);
    for (const { name } of names) {
      expect(name).toMatch(/^[\w.*-]+(?:\/[\w.*-]+)*\/?$/);
      expect(
        name.split('/').every((part) => part.split('*').length <= 2),
        name,
      ).toBe(true);
    }
    const all = names.map(({ name }) => name);
    expect(effectiveAtOnce.split(' ').filter((name) => !all.includes(name))).toEqual([]);
  });

  it.each([
    ['.gitlab-ci.yml', ci],
    ['.gitlab/ci/build.yml', ci],
    ['ci/test.gitlab-ci.yml', ci],
    ['.circleci/config.yml', ci],
    ['Jenkinsfile', ci],
    ['Jenkinsfile.release', ci],
    ['azure-pipelines.yml', ci],
    ['azure-pipelines-release.yml', ci],
    ['.azure-pipelines/build.yml', ci],
    ['.travis.yml', ci],
    ['bitbucket-pipelines.yml', ci],
    ['.drone.yml', ci],
    ['.drone.star', ci],
    ['.drone.jsonnet', ci],
    ['.woodpecker.yml', ci],
    ['.woodpecker/test.yaml', ci],
    ['.buildkite/pipeline.yml', ci],
    ['.forgejo/workflows/ci.yml', ci],
    ['.gitea/workflows/ci.yml', ci],
    ['.github/workflows/ci.yml', ci],
    ['appveyor.yml', ci],
    ['.teamcity/settings.kts', ci],
    ['cloudbuild.yaml', ci],
    ['.semaphore/semaphore.yml', ci],
    ['.cirrus.yml', ci],
    ['codemagic.yaml', ci],
    ['buildspec.yml', ci],
    ['.build.yml', ci],
    ['.tangled/workflows/ci.yml', ci],
    ['.releaserc.json', ci],
    ['azure-pipeline.yml', ci],
    ['.buildpacks', ci],
    ['.npmrc', tool],
    ['binding.gyp', tool],
    ['.yarnrc', tool],
    ['.yarnrc.yml', tool],
    ['.yarn/releases/yarn.cjs', tool],
    ['.yarn/plugins/x.cjs', tool],
    ['.pnp.cjs', tool],
    ['.pnpmfile.cjs', tool],
    ['.cargo/config.toml', tool],
    ['rust-toolchain.toml', tool],
    ['gradlew', tool],
    ['gradlew.bat', tool],
    ['gradle/wrapper/gradle-wrapper.jar', tool],
    ['.mvn/jvm.config', tool],
    ['mvnw', tool],
    ['.bazelrc', tool],
    ['.bazelversion', tool],
    ['tools/bazel', tool],
    ['NuGet.Config', tool],
    ['Directory.Build.rsp', tool],
    ['pip.conf', tool],
    ['.bundle/config', tool],
    ['mise.toml', start],
    ['.mise.toml', start],
    ['.tool-versions', start],
    ['.sbtrc', tool],
    ['fnox.toml', start],
    ['user.clj', start],
    ['.envrc', start],
    ['.envrc.local', start],
    ['.env', start],
    ['flake.nix', start],
    ['.Rprofile', start],
    ['sitecustomize.py', start],
    ['fixtures/repo/HEAD', commits],
    ['fixtures/repo.git/config', commits],
    ['.lintstagedrc.json', commits],
    ['.gitattributes', commits],
    ['.gitmodules', commits],
    ['.githooks/pre-push', commits],
    ['tools/hooks/pre-commit', commits],
    ['.husky/pre-commit', commits],
    ['.lefthook.toml', commits],
    ['lefthook-local.json', commits],
    ['.pre-commit-config.yaml', commits],
    ['prek.toml', commits],
    ['hk.pkl', commits],
    ['.devcontainer/devcontainer.json', /^runs when Dev Containers creates or starts a workspace$/],
    ['.devcontainer.json', /^runs when Dev Containers /],
    ['.config/wt.toml', /^runs when a worktree tool /],
    ['conductor.json', /^runs when Conductor /],
    ['.vscode/settings.json', editor],
    ['.vscode/launch.json', editor],
    ['.vscode/tasks.json', editor],
    ['.vscode/mcp.json', editor],
    ['.vscode/extensions.json', editor],
    ['app.code-workspace', editor],
    ['.idea/runConfigurations/a.xml', editor],
    ['.zed/tasks.json', editor],
    ['.fleet/run.json', editor],
    ['tools/test.run.xml', editor],
    ['hie.yaml', editor],
    ['.bsp/evil.json', editor],
    ['buildServer.json', editor],
    ['rust-analyzer.toml', editor],
    ['omnisharp.json', editor],
    ['.exrc', editor],
    ['.nvim.lua', editor],
    ['.dir-locals.el', editor],
    ['.helix/languages.toml', editor],
    ['.cursorrules', tells],
    ['.cursor/rules/a.mdc', tells],
    ['.cursor/mcp.json', tells],
    ['.github/copilot-instructions.md', tells],
    ['.github/instructions/a.instructions.md', tells],
    ['.github/prompts/a.prompt.md', tells],
    ['.github/chatmodes/a.chatmode.md', tells],
    ['.github/agents/a.md', tells],
    ['.github/hooks/a.json', tells],
    ['.windsurfrules', tells],
    ['.windsurf/rules/a.md', tells],
    ['.clinerules', tells],
    ['.clinerules/a.md', tells],
    ['.agents/skills/x/SKILL.md', tells],
    ['AGENTS.md', tells],
    ['AGENTS.override.md', tells],
    ['src/deep/claude.MD', tells],
    ['a/b/.claude/fermata/prompts/coder.md', tells],
    ['.mcp.json', tells],
    ['.codex/config.toml', tells],
    ['opencode.json', tells],
    ['.opencode/agent/a.md', tells],
    ['.qwen/settings.json', tells],
    ['QWEN.md', tells],
    ['.kiro/steering/a.md', tells],
    ['.continue/config.yaml', tells],
    ['.amazonq/rules/a.md', tells],
    ['.junie/guidelines.md', tells],
    ['.roo/rules/a.md', tells],
    ['.roomodes', tells],
    ['.goosehints', tells],
    ['.aider.conf.yml', tells],
    ['.claude-plugin/plugin.json', tells],
    ['CRUSH.md', tells],
    ['WARP.md', tells],
    ['skills/deploy/SKILL.md', tells],
    ['.coderabbit.yaml', tells],
    ['.worktreeinclude', /^decides which files an agent may read$/],
    ['.cursorignore', /^decides which files an agent may read$/],
    ['docs/codeowners', /^decides who or what may approve and merge/],
    ['.mergify.yml', /^decides who or what may approve and merge/],
    ['pkg/Fermata.Config.JSON', /^decides how Fermata works here$/],
  ])('BIND-7 BIND-22 %j is one', (path, why) => {
    expect(steeringReason(path)).toMatch(why);
  });

  it.each([
    'package.json',
    'Makefile',
    'Dockerfile',
    'docker-compose.yml',
    'pyproject.toml',
    'setup.py',
    'conftest.py',
    'build.gradle.kts',
    'Cargo.toml',
    'build.rs',
    'jest.config.js',
    'eslint.config.js',
    'tsconfig.json',
    '.editorconfig',
    '.gitignore',
    '.dockerignore',
    '.prettierrc',
    '.nvmrc',
    '.env.example',
    '.changeset/happy-cats.md',
    'llms.txt',
    'src/hooks/use-cart.ts',
    'src/claude/index.ts',
    'src/agents/md.ts',
    'src/plans/prices.ts',
    'src/action.ts',
    'Project.toml',
    'src/common/scripts/build.ts',
    'layouts/partials/head/meta.html',
    'src/head.ts',
    'claude.md.ts',
    'lefthooks.md',
    'CLAUDE.md/notes.txt',
    'tools/bazel/rules.bzl',
    '.github/ISSUE_TEMPLATE/bug.md',
    '.github/pull_request_template.md',
  ])('BIND-7 BIND-22 %j is none', (path) => {
    expect(steeringReason(path)).toBeUndefined();
  });

  it('BIND-7 a part of them already counts in the worktree', () => {
    expect(['.git/config', 'x\\\\.claude\\\\a', '.husky/x', '.envrc'].every(steersAtOnce)).toBe(true);
    expect(
      ['CLAUDE.md', '.github/workflows/ci.yml', '.vscode/tasks.json', 'src/a.ts'].some(steersAtOnce),
    ).toBe(false);
  });

  it('BIND-22 knows the folders that may contain one', () => {
    expect(['.github', 'a/.GITHUB', 'src/hooks', 'gradle', 'a/lib'].map(steeringParent)).toEqual([
      '.github',
      '.github',
      'hooks',
      'gradle',
      undefined,
    ]);
    expect(['src', 'github', '.github/x'].map(steeringParent)).toEqual([undefined, undefined, undefined]);
  });

  it('BIND-15 BIND-22 a check takes time that grows with the length of the path, and is cheap for 10,000 files', () => {
    const paths = Array.from(
      { length: 10_000 },
      (_, at) => `packages/part-${at % 90}/src/views/list/entry-${at}.ts`,
    );
    expect(leastTime(() => paths.forEach(steeringReason), 3)).toBeLessThan(300);
    const hostile = ['.', ' ', '. ', 'a', '/', '.aider', 'hooks/pre-', ':', '.github/', '\u200b', 'ﷺ'];
    for (const piece of hostile) {
      const long = (size: number) => `${piece.repeat(size / piece.length)}x`;
      const check = (size: number) => leastTime(() => steeringReason(long(size)), 3);
      expect(check(160_000), piece).toBeLessThan(40 * (check(16_000) + 1));
    }
  });
});
