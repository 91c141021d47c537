import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { fermata, freshFolder } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { planRepository } from './support/plan-repository.ts';

const LONG = 240_000;

/** A run of two phases whose first agent does its work and an attack. A person has to test the second phase. */
function hostileAgent(attack: string) {
  const place = planRepository([
    { id: '1', gate: 'test -s work.txt' },
    { id: '2', dependsOn: ['1'], gate: 'test -s work.txt', front: 'requires_manual_testing: true' },
  ]);
  const agents = freshFolder('agents');
  const program = join(agents, 'agent.sh');
  const work = `[ "$FERMATA_PHASE" != 1 ] || { echo done > work.txt\n${attack}\n}`;
  const script = `#!/bin/bash\nset -e\ncat > /dev/null\n${work}\necho '{"status":"success"}'\n`;
  writeFileSync(program, script, { mode: 0o755 });
  const args = ['run', 'plans/shop', '--agent', 'command', '--agent-command', program];
  // The levels of the project leave everything to agents.
  const lower = () => fermata(['config', 'set', 'hilConfig', 'full'], place.at);
  const untrusting = { ...place.at, env: { ...place.at.env, FERMATA_TRUST: '0' } };
  return {
    place,
    agents,
    lower,
    run: () => fermata(args, place.at),
    runUntrusting: () => fermata(args, untrusting),
  };
}

/** All in one run; test/work/autonomy/steering.test.ts has each kind of file by itself. */
const attacks: [attack: string, file: string, shown: string][] = [
  [
    "sed -i '/^---$/,/^---$/d' plans/shop/phase-2.md",
    'plans/shop/phase-2.md',
    '-requires_manual_testing: true',
  ],
  [
    "sed -i 's/test -s work.txt/true/' plans/shop/phase-2.md",
    'plans/shop/phase-2.md',
    '+- check: `true` (AC-1)',
  ],
  [`echo '{"hilConfig":"full"}' > fermata.config.json`, 'fermata.config.json', '+{"hilConfig":"full"}'],
  ['mkdir .husky; echo evil > .husky/pre-commit', '.husky/pre-commit', '+evil'],
  [`echo '{"mcpServers":{}}' > .mcp.json`, '.mcp.json', '+{"mcpServers":{}}'],
  [
    'mkdir -p .claude/fermata/prompts; echo obey > .claude/fermata/prompts/coder.md',
    '.claude/fermata/prompts/coder.md',
    '+obey',
  ],
];

test(
  'BIND-7 a change to steering files is shown as a diff and waits for approval at every level',
  async () => {
    const { place, run, lower } = hostileAgent(attacks.map(([attack]) => attack).join('\n'));
    await lower();
    const first = await run();
    expect(first.code, first.stderr).toBe(3);
    const [asked, ...more] = await place.inbox();
    expect(more).toEqual([]);
    expect(asked).toMatchObject({
      source: 'approval',
      sourceId: 'shop/1',
      questions: [{ category: 'scope' }],
    });
    const [changes, diff] = asked?.questions[0]?.verbatim ?? [];
    for (const [, file, shown] of attacks) {
      expect(changes?.text).toContain(`${file}: `);
      expect(diff?.text).toContain(shown);
    }
    expect(place.git('log', '--format=%s', 'work')).toBe('A plan');
  },
  LONG,
);

/** Files of finding F8, each with a part of the reason that a person reads. */
const unasked: Record<string, string> = {
  '.gitlab-ci.yml': 'in CI',
  '.circleci/config.yml': 'in CI',
  Jenkinsfile: 'in CI',
  'azure-pipelines.yml': 'in CI',
  '.travis.yml': 'in CI',
  'bitbucket-pipelines.yml': 'in CI',
  '.drone.yml': 'in CI',
  '.woodpecker.yml': 'in CI',
  '.buildkite/pipeline.yml': 'in CI',
  '.forgejo/workflows/ci.yml': 'in CI',
  '.gitea/workflows/ci.yml': 'in CI',
  '.npmrc': 'npm downloads and runs',
  '.yarnrc.yml': 'Yarn downloads and runs',
  '.yarn/releases/yarn.cjs': 'Yarn downloads and runs',
  '.pnpmfile.cjs': 'pnpm downloads and runs',
  '.cargo/config.toml': 'Cargo downloads and runs',
  gradlew: 'Gradle downloads and runs',
  '.mvn/jvm.config': 'Maven downloads and runs',
  '.bazelrc': 'Bazel downloads and runs',
  'nuget.config': 'NuGet downloads and runs',
  '.devcontainer/devcontainer.json': 'Dev Containers creates or starts a workspace',
  '.vscode/settings.json': 'opened in VS Code',
  '.vscode/launch.json': 'opened in VS Code',
  '.vscode/mcp.json': 'opened in VS Code',
  '.zed/tasks.json': 'opened in Zed',
  'mise.toml': 'as soon as mise starts',
  '.envrc.local': 'as soon as direnv starts',
  '.lintstagedrc.json': 'checks out, commits or pushes',
  '.gitattributes': 'checks out, commits or pushes',
  '.gitmodules': 'checks out, commits or pushes',
  '.cursorrules': 'tells Cursor what to do',
  '.cursor/rules/a.mdc': 'tells Cursor what to do',
  '.cursor/mcp.json': 'tells Cursor what to do',
  '.github/copilot-instructions.md': 'tells GitHub Copilot what to do',
  '.windsurfrules': 'tells Windsurf what to do',
  '.clinerules': 'tells Cline what to do',
  '.agents/skills/x/SKILL.md': 'tells agents of any maker what to do',
  'opencode.json': 'tells OpenCode what to do',
  '.qwen/settings.json': 'tells Qwen Code what to do',
  'QWEN.md': 'tells Qwen Code what to do',
  '.kiro/steering/a.md': 'tells Kiro what to do',
  '.continue/config.yaml': 'tells Continue what to do',
  '.amazonq/rules/a.md': 'tells Amazon Q what to do',
  '.junie/guidelines.md': 'tells Junie what to do',
  '.roo/rules/a.md': 'tells Roo Code what to do',
  '.claude-plugin/plugin.json': 'tells Claude Code what to do',
};

test(
  'BIND-22 files that run programs or steer agents, of any maker, are named with their reasons and merged only after a yes',
  async () => {
    const files = Object.keys(unasked);
    const attack = `
      for file in ${files.join(' ')}; do mkdir -p "$(dirname "$file")"; echo "# evil" >> "$file"; done`;
    const { place, run, lower } = hostileAgent(attack);
    await lower();
    const asked = async () => {
      const { code, stderr } = await run();
      expect(code, stderr).toBe(3);
      const [question, ...more] = await place.inbox();
      expect(more).toEqual([]);
      expect(place.git('log', '--format=%s', 'work')).toBe('A plan');
      return question;
    };
    const first = await asked();
    expect(first?.questions[0]?.text).toContain('run programs or steer agents');
    const lines = first?.questions[0]?.verbatim?.[0]?.text.split('\n') ?? [];
    expect(lines.map((line) => line.replace(/: .*/, '')).sort()).toEqual([...files].sort());
    for (const [file, why] of Object.entries(unasked))
      expect(lines.find((line) => line.startsWith(`${file}: `))).toContain(why);

    await fermata(['answer', first?.id ?? '', 'Reject', '--note', 'not these'], place.at);
    const second = await asked();
    expect(second?.id).not.toBe(first?.id);
    await fermata(['answer', second?.id ?? '', 'Approve'], place.at);
    await run();
    expect(place.git('ls-tree', '-r', '--name-only', 'work').split('\n')).toEqual(
      expect.arrayContaining(files),
    );
  },
  LONG,
);

longTest(
  'BIND-7 an agent that merges the feature branch and reverts steering changes made there meanwhile waits for a person',
  async () => {
    const attack = `
      here=$(dirname "$0"); touch "$here/at-work"; until [ -e "$here/go" ]; do sleep 0.1; done
      git merge -q work && git rm -q -r .husky && git commit -q -m 'Tidy up'`;
    const { place, agents, run } = hostileAgent(attack);
    const running = run();
    await vi.waitUntil(() => existsSync(join(agents, 'at-work')), { timeout: LONG });
    mkdirSync(join(place.cwd, '.husky'));
    writeFileSync(join(place.cwd, '.husky/pre-push'), 'guard\n');
    place.git('add', '.husky');
    place.git('commit', '-q', '-m', 'A guard');
    writeFileSync(join(agents, 'go'), '');
    const { code, stderr } = await running;
    expect(code, stderr).toBe(3);
    const [asked] = await place.inbox();
    expect(asked?.questions[0]?.verbatim?.[1]?.text).toContain('-guard');
    expect(place.git('show', 'work:.husky/pre-push')).toBe('guard');
  },
  LONG,
);

longTest(
  'BIND-7 BIND-12 steering files are merged after a yes and trusted from then on, and the next phase’s approved gate still applies',
  async () => {
    const attack = `mkdir -p .claude/fermata/prompts; echo '{{input}}' > .claude/fermata/prompts/coder.md; echo '{}' > .mcp.json`;
    const { place, run, runUntrusting } = hostileAgent(attack);
    expect((await run()).code).toBe(3);
    const [asked] = await place.inbox();
    expect((await fermata(['answer', asked?.id ?? '', 'Approve'], place.at)).code).toBe(0);
    const second = await runUntrusting();
    expect(second.code, second.stderr).toBe(3);
    expect(place.git('show', 'work:.mcp.json')).toBe('{}');
    const [gate, ...more] = await place.inbox();
    expect(more).toEqual([]);
    expect(gate).toMatchObject({ gate: { kind: 'testing', phase: '2' } });
    const { stdout } = await fermata(['trust', '--list', '--json'], place.at);
    expect(stdout).toContain('agent:.mcp.json');
  },
  LONG,
);

longTest(
  'BIND-7 after a yes to the plan, its new terms are the approved ones; after a no the agent is sent back',
  async () => {
    const attack = "sed -i '/^---$/,/^---$/d' plans/shop/phase-2.md";
    const { place, run, runUntrusting } = hostileAgent(attack);
    expect((await run()).code).toBe(3);
    const [asked] = await place.inbox();
    await fermata(['answer', asked?.id ?? '', 'Approve'], place.at);
    const done = await runUntrusting();
    expect(done.code, done.stderr).toBe(0);

    const other = hostileAgent(
      `${attack}; [ ! -e ../undo ] || git checkout -q HEAD~1 -- plans; touch ../undo`,
    );
    expect((await other.run()).code).toBe(3);
    const [refused] = await other.place.inbox();
    await fermata(['answer', refused?.id ?? '', 'Reject', '--note', 'keep my gate'], other.place.at);
    const after = await other.run();
    expect(after.stderr).toContain('starts again to fix what was found');
    expect(other.place.git('show', 'work:plans/shop/phase-2.md')).toContain('requires_manual_testing: true');
  },
  LONG,
);

test('BIND-12 a run says that its plan is not committed, because what agents write there has to be approved', async () => {
  const place = planRepository([{ id: '1', gate: 'test -d .' }]);
  place.git('rm', '-r', '-q', '--cached', 'plans');
  place.git('commit', '-q', '-m', 'Leave the plan out');
  const { code, stderr } = await place.run();
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('The plan is not committed, so you will have to approve the notes of each phase.');
});
