import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePlan } from '../../../src/planning/plan/parse-plan.ts';
import { dependencyChanges } from '../../../src/work/autonomy/dependency-changes.ts';
import { findChanges } from '../../../src/work/autonomy/find-changes.ts';
import { scopeChanges } from '../../../src/work/autonomy/scope-changes.ts';
import { commit, freshPlace, sh, write } from '../support/repository.ts';

describe('changes of dependencies', () => {
  it.each([
    [
      'package.json',
      '{"dependencies":{"a":"1","b":"1"}}',
      '{"dependencies":{"a":"2"},"devDependencies":{"c":"^3"},"scripts":{"x":"y"}}',
      ['adds c ^3', 'removes b', 'changes a from 1 to 2'],
    ],
    ['app/composer.json', '{}', '{"require":{"php":"^8"}}', ['adds php ^8']],
    [
      'requirements-dev.txt',
      'a==1\n# b\n',
      'a==1 # pinned\nC[x]>=2 ; python_version > "3"\n-r other.txt\n',
      ['adds C >=2'],
    ],
    [
      'pyproject.toml',
      '[project]\ndependencies = ["a>=1"]\n',
      '[project]\nname = "x"\ndependencies = [\n  "a>=1",\n  "b[extra]~=2",\n]\n[project.optional-dependencies]\ntest = ["c"]\n[tool.poetry.dependencies]\nd = "^1"\n',
      ['adds b ~=2', 'adds c', 'adds d ^1'],
    ],
    [
      'Cargo.toml',
      '[package]\nname = "x"\n[dependencies]\na = "1"\n',
      '[package]\nname = "y"\n[dependencies]\na = { version = "2" }\n[dev-dependencies.b]\nversion = "1"\n',
      ['adds b 1', 'changes a from 1 to { version = "2" }'],
    ],
    [
      'go.mod',
      'module m.org/x\n\nrequire a.org/b v1.0.0\n',
      'module m.org/x\n\ngo 1.22\n\nrequire (\n\ta.org/b v1.0.0\n\tc.org/d v2.0.0 // indirect\n)\n',
      ['adds c.org/d v2.0.0'],
    ],
    ['Gemfile', "gem 'a'\n", "gem 'a', '~> 1'\ngem \"b\"\n", ['adds b', 'changes a from any to ~> 1']],
    ['package.json', '{"dependencies":{"a":"1"}}', '{broken', ['removes a']],
    ['src/package.json.ts', 'a', 'b', []],
    ['package.json', '{"version":"1"}', '{"version":"2","dependencies":null}', []],
  ])('LED-10 are seen in %s', (path, before, after, changes) => {
    expect(dependencyChanges(path, before, after).sort()).toEqual(
      changes.map((change) => `${path} ${change}`).sort(),
    );
  });
});

const master = (rows: string) =>
  `# Shop - Master Plan\n\n## Phases\n\n| Phase | Title | Status |\n|---|---|---|\n${rows}`;
const phase = (tasks: string, status = 'Pending') =>
  `# Phase 1: Start\n\n**Status:** ${status}\n\n## Gates\n\n- tests: npm test\n\n## Tasks\n\n${tasks}\n`;
const ROW = '| 1 | [Start](phase-1.md) | Pending |\n';
const plan = (rows: string, tasks: string, status?: string) =>
  parsePlan([
    { path: 'MASTER_PLAN.md', text: master(rows) },
    { path: 'phase-1.md', text: phase(tasks, status) },
  ]);

describe('changes of the scope', () => {
  it('LED-10 phases, tasks and gates that came or went are changes; progress is none', () => {
    const before = plan(ROW, '- [ ] one\n- [ ] two');
    expect(
      scopeChanges(before, plan(ROW.replace('Pending', 'Done'), '- [x] one\n- [x] two', 'Done')),
    ).toEqual([]);
    const after = plan(`${ROW}| 2 | [More](phase-2.md) | Pending |\n`, '- [x] one\n- [ ] three');
    expect(scopeChanges(before, after)).toEqual([
      'phase 2 is new: More',
      'phase 1, task is new: three',
      'phase 1, task is gone: two',
    ]);
    expect(scopeChanges(after, before)).toContain('phase 2 is gone: More');
  });
});

describe('changes in a checkout', () => {
  it('LED-10 are found committed, uncommitted and untracked; a link is not followed', async () => {
    const folder = freshPlace();
    sh(folder, 'init', '-q', '-b', 'main');
    const base = commit(folder, 'first', {
      'package.json': '{"dependencies":{"a":"1"}}',
      'plans/shop/MASTER_PLAN.md': master(ROW),
      'plans/shop/phase-1.md': phase('- [ ] one'),
    });
    expect(await findChanges(folder, base, 'plans/shop')).toEqual({ dependency: [], scope: [] });
    commit(folder, 'second', { 'package.json': '{"dependencies":{"a":"1","b":"2"}}' });
    write(folder, { 'tool/Gemfile': "gem 'c'\n", 'plans/shop/phase-1.md': phase('- [x] one\n- [ ] two') });
    expect(await findChanges(folder, base, 'plans/shop')).toEqual({
      dependency: ['package.json adds b 2', 'tool/Gemfile adds c'],
      scope: ['phase 1, task is new: two'],
    });
    rmSync(join(folder, 'tool/Gemfile'));
    writeFileSync(join(folder, '../outside'), "gem 'secret'\n");
    symlinkSync(join(folder, '../outside'), join(folder, 'tool/Gemfile'));
    expect((await findChanges(folder, base)).dependency).toEqual(['package.json adds b 2']);
    rmSync(join(folder, '../outside'));
  });
});
