import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePlan } from '../../../src/plan/grammar/parse-plan.ts';
import { findChanges } from '../../../src/work/autonomy/find-changes.ts';
import { scopeChanges } from '../../../src/work/autonomy/scope-changes.ts';
import { longTest } from '../../support/long-test.ts';
import { commit, freshPlace, initRepository, write } from '../support/repository.ts';

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
  it('LED-10 added or removed phases, tasks and gates, a lost file and another title are changes; progress is not', () => {
    const before = plan(ROW, '- [ ] one\n- [ ] two');
    expect(
      scopeChanges(before, plan(ROW.replace('Pending', 'Done'), '- [x] one\n- [x] two', 'Done')),
    ).toEqual([]);
    const after = plan(`${ROW}| 2 | [More](phase-2.md) | Pending |\n`, '- [x] one\n- [ ] three');
    expect(scopeChanges(before, after)).toEqual([
      'phase 2 added: More',
      'phase 1, task added: three',
      'phase 1, task removed: two',
    ]);
    expect(scopeChanges(after, before)).toContain('phase 2 removed: More');
    const withoutFile = parsePlan([{ path: 'MASTER_PLAN.md', text: master(ROW) }]);
    expect(scopeChanges(before, withoutFile)).toEqual([
      'phase 1, task removed: one',
      'phase 1, task removed: two',
      'phase 1, gate removed: tests: npm test',
    ]);
    const renamed = parsePlan([
      { path: 'MASTER_PLAN.md', text: master(ROW) },
      { path: 'phase-1.md', text: phase('- [ ] one\n- [ ] two').replace('Start', 'Rewrite') },
    ]);
    expect(scopeChanges(before, renamed)).toEqual(['phase 1 renamed: Rewrite']);
  });

  it('LED-10 a gate command or a criterion that was made easier is a change', () => {
    const rest = '\n\n## Acceptance Criteria\n\n- AC-1: ';
    const before = plan(ROW, `- [ ] one${rest}All tests pass.`);
    const easier = parsePlan([
      { path: 'MASTER_PLAN.md', text: master(ROW) },
      {
        path: 'phase-1.md',
        text: phase(`- [ ] one${rest}It runs.`).replace('npm test', 'true'),
      },
    ]);
    expect(scopeChanges(before, easier)).toEqual([
      'phase 1, criterion added: It runs.',
      'phase 1, criterion removed: All tests pass.',
      'phase 1, gate added: tests: true',
      'phase 1, gate removed: tests: npm test',
    ]);
  });
});

/** Commits everything that is there now first. */
const changesSince = (base: string, folder: string, plan?: string) =>
  findChanges(
    { folder, base, tip: commit(folder, 'now') },
    plan === undefined ? undefined : { folder: plan, phase: '1', variant: null, feature: 'refs/heads/shop' },
  );

describe('changes in a branch', () => {
  it('LED-10 are found in manifests and the plan; a link is not followed', async () => {
    const folder = freshPlace();
    initRepository(folder);
    const base = commit(folder, 'first', {
      'package.json': '{"dependencies":{"a":"1"}}',
      'plans/shop/MASTER_PLAN.md': master(ROW),
      'plans/shop/phase-1.md': phase('- [ ] one'),
    });
    expect(await changesSince(base, folder, 'plans/shop')).toEqual({ dependency: [] });
    commit(folder, 'second', { 'package.json': '{"dependencies":{"a":"1","b":"2"}}' });
    write(folder, { 'tool/Gemfile': "gem 'c'\n", 'plans/shop/phase-1.md': phase('- [x] one\n- [ ] two') });
    expect(await changesSince(base, folder, 'plans/shop')).toMatchObject({
      dependency: [
        'package.json changed:\n-{"dependencies":{"a":"1"}}\n+{"dependencies":{"a":"1","b":"2"}}',
        expect.stringMatching(/^tool\/Gemfile changed:\n\+gem 'c'/),
      ],
      steering: {
        words: ['phase 1, task added: two', 'plans/shop/phase-1.md: is part of a plan'],
        diff: expect.stringContaining('+- [ ] two'),
      },
    });
    rmSync(join(folder, 'tool/Gemfile'));
    writeFileSync(join(folder, '../outside'), "gem 'secret'\n");
    symlinkSync(join(folder, '../outside'), join(folder, 'tool/Gemfile'));
    expect((await changesSince(base, folder)).dependency).toEqual([
      expect.stringContaining('package.json changed:'),
      expect.stringMatching(
        /^tool\/Gemfile is a symbolic link, which Fermata does not follow \([0-9a-f]{8}\)$/,
      ),
    ]);
    rmSync(join(folder, '../outside'));
  });

  it('LED-10 include those of a plan at the top of the repository, and of a deleted or new one (BIND-7)', async () => {
    const folder = freshPlace();
    initRepository(folder);
    const before = commit(folder, 'no plan yet');
    const base = commit(folder, 'a plan', {
      'Master_Plan.md': master(ROW),
      'phase-1.md': phase('- [ ] one'),
    });
    const isPlan = (path: string) => `${path}: is part of a plan`;
    const wordsSince = async (commit: string) => (await changesSince(commit, folder, '.')).steering?.words;
    expect(await wordsSince(before)).toEqual([isPlan('Master_Plan.md'), isPlan('phase-1.md')]);
    write(folder, { 'phase-1.md': phase('- [ ] one\n- [ ] two') });
    expect(await wordsSince(base)).toEqual(['phase 1, task added: two', isPlan('phase-1.md')]);
    rmSync(join(folder, 'Master_Plan.md'));
    expect(await wordsSince(base)).toEqual([
      'phase 1 removed: Start',
      isPlan('Master_Plan.md'),
      isPlan('phase-1.md'),
    ]);
  });

  it('LED-10 a changed lock file alone is a change; together with a changed manifest it only follows', async () => {
    const folder = freshPlace();
    initRepository(folder);
    const base = commit(folder, 'first', {
      'package.json': '{}',
      'package-lock.json': '{}',
      'tool/go.mod': 'module m.org/x\n',
      'tool/go.sum': '',
    });
    write(folder, { 'package-lock.json': '{"a":1}', 'tool/go.sum': 'a\n' });
    const { dependency } = await changesSince(base, folder);
    expect(dependency).toEqual([
      expect.stringMatching(/^package-lock\.json changes the installed versions \([0-9a-f]{8}\)$/),
      expect.stringMatching(/^tool\/go\.sum changes/),
    ]);
    write(folder, { 'package-lock.json': '{"a":2}', 'tool/go.mod': 'require a.org/b v1.0.0\n' });
    const later = (await changesSince(base, folder)).dependency;
    expect(later).toEqual([
      expect.stringContaining('+require a.org/b v1.0.0'),
      expect.stringMatching(/^package-lock\.json changes/),
    ]);
    expect(later[1]).not.toBe(dependency[0]);
    write(folder, { 'web/package.json': '{"dependencies":{"c":"1"}}' });
    expect((await changesSince(base, folder)).dependency).toEqual([
      expect.stringContaining('+require a.org/b v1.0.0'),
      expect.stringContaining('web/package.json changed:'),
    ]);
  });

  longTest(
    'LED-10 for a file that is not read because it is too large or a link, different content is a different change',
    async () => {
      const folder = freshPlace();
      initRepository(folder);
      const base = commit(folder, 'first', { 'yarn.lock': 'a\n', 'Cargo.lock': 'b\n', 'go.sum': 'c\n' });
      const large = 'x'.repeat(5 * 1024 * 1024);
      const changesWith = async (text: string, target: string) => {
        write(folder, { 'package.json': large + text, 'Cargo.lock': large + text });
        rmSync(join(folder, 'go.sum'));
        symlinkSync(target, join(folder, 'go.sum'));
        return (await changesSince(base, folder)).dependency;
      };
      rmSync(join(folder, 'yarn.lock'));
      const first = await changesWith('1', 'nowhere');
      expect(first).toEqual([
        expect.stringMatching(/^package\.json is too large to check \([0-9a-f]{8}\)$/),
        expect.stringMatching(/^Cargo\.lock changes the installed versions \([0-9a-f]{8}\)$/),
        expect.stringMatching(/^go\.sum changes the installed versions \([0-9a-f]{8}\)$/),
      ]);
      const second = await changesWith('2', 'elsewhere');
      expect(second.filter((change) => first.includes(change))).toEqual([]);
      rmSync(join(folder, 'package.json'));
      expect((await changesSince(base, folder)).dependency).toContain('yarn.lock was deleted');
    },
  );
});
