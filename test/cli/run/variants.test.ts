import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLedger } from '../../../src/ledger/ledger.ts';
import type { Step } from '../../../src/testing/scenario.ts';
import { fermata } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { DONE, planRepository } from './support/plan-repository.ts';

const LONG = 240_000;

longTest(
  'VAR-1 RUN-1 variants are compared by gate commands that ran before, each once, and the decision is carried out',
  async () => {
    const log = '"$(git rev-parse --git-common-dir)/gates.log"';
    const place = planRepository([
      {
        id: '1',
        front: 'variants: [A, B, C]',
        gate: `git rev-parse --abbrev-ref HEAD >> ${log}; test -f made.txt`,
        steps: [{ do: 'write', path: 'made.txt', content: 'x\n' }],
      },
    ]);
    const scenarios = place.at.env?.FAKE_CLAUDE_CONFIG ?? '';
    copyFileSync(join(scenarios, '1.json'), join(scenarios, 'default.json'));
    const first = await place.run('--parallel', '3');
    expect(first.code, first.stderr).toBe(3);
    const ran = readFileSync(join(place.cwd, '.git/gates.log'), 'utf8').trim().split('\n').sort();
    expect(ran).toEqual(['A', 'B', 'C'].map((letter) => `work--shop--implementation-1-${letter}`));
    const [gate] = await place.inbox();
    expect(gate?.gate?.material?.filter(({ kind }) => kind === 'gates')).toHaveLength(3);
    expect(first.stderr).toMatch(
      /The variants gate of phase 1 waits for you:[\s\S]*fermata answer \S+ VALUE VALUE VALUE\n/,
    );
    await fermata(['answer', gate?.id ?? '', 'discard', 'main', 'alternative', 'skip', 'skip'], place.at);
    const done = await place.run('--resume');
    expect(done.code, done.stderr).toBe(0);
    const ledger = await openLedger(`${place.at.env?.FERMATA_HOME}/ledger.db`);
    const [project] = await ledger.projects.list();
    const worktrees = await ledger.worktrees.list(project?.id ?? '');
    await ledger.close();
    expect(
      Object.fromEntries(worktrees.map(({ variant, state, path }) => [variant, [state, path !== null]])),
    ).toEqual({ A: ['archived', false], B: ['merged', true], C: ['alternative', true] });
    expect(place.git('branch', '--list', 'archive/*')).toContain('archive/work--shop--implementation-1-A');
    expect(place.git('log', '--merges', '--format=%s', 'work')).toBe(
      "Merge branch 'work--shop--implementation-1-B' into work",
    );
  },
  LONG,
);

longTest(
  'VAR-1 a variant whose agent waits for an answer is not compared yet: nobody can choose it before it is done',
  async () => {
    const made: Step = { do: 'write', path: 'made.txt', content: 'x\n' };
    const place = planRepository([{ id: '1', front: 'variants: [A, B]', gate: 'test -f made.txt' }]);
    const scenario = (...steps: Step[]) =>
      JSON.stringify({ counts: 'session', invocations: [{ steps: [...steps, DONE] }] });
    const scenarios = place.at.env?.FAKE_CLAUDE_CONFIG ?? '';
    const question = { id: 'q', question: 'Which colour?' };
    writeFileSync(join(scenarios, '1-A.json'), scenario(made));
    writeFileSync(join(scenarios, '1-B.json'), scenario({ do: 'ask', questions: [question] }, made));
    const first = await place.run('--parallel', '2');
    expect(first.code, first.stderr).toBe(3);
    const asked = await place.inbox();
    expect(asked).toMatchObject([{ sourceId: 'shop/1-B', questions: [{ text: 'Which colour?' }] }]);
    await fermata(['answer', asked[0]?.id ?? '', 'green'], place.at);
    expect((await place.run('--resume')).code).toBe(3);
    const [gate] = await place.inbox();
    const compared = gate?.gate?.material?.filter(({ kind }) => kind === 'gates') ?? [];
    expect(compared.map(({ variant }) => variant)).toEqual(['A', 'B']);
    await fermata(['answer', gate?.id ?? '', 'discard', 'main', 'skip', 'skip'], place.at);
    expect((await place.run('--resume')).code).toBe(0);
  },
  LONG,
);

test(
  'RUN-1 files that gate commands leave behind block nothing: changes are committed, new files are not merged',
  async () => {
    const place = planRepository([
      {
        id: '1',
        gate: 'echo formatted >> a.txt; echo x > report.txt; test -f a.txt',
        steps: [{ do: 'write', path: 'a.txt', content: 'a\n' }],
      },
    ]);
    const { code, stderr } = await place.run();
    expect(code, stderr).toBe(0);
    expect(place.git('show', 'work:a.txt'), 'what the gates that passed had').toBe('a\nformatted');
    expect(stderr.match(/gate command check/g)).toHaveLength(2);
    expect(existsSync(join(place.cwd, 'report.txt'))).toBe(false);
  },
  LONG,
);

longTest(
  'CMD-1 RUN-1 on the trunk, the plan is merged into its own branch, which all commands know from then on',
  async () => {
    const place = planRepository([
      { id: '1', steps: [{ do: 'write', path: 'a.txt', content: 'a\n' }] },
      { id: '2' },
    ]);
    place.git('branch', '-m', 'main');
    const data = async (...args: string[]) => JSON.parse((await fermata(args, place.at)).stdout).data;
    expect(await data('plan', 'status')).toMatchObject({ feature_branch: 'main' });
    expect((await place.run('--feature', 'made/here')).code).toBe(0);
    expect(place.git('rev-parse', '--abbrev-ref', 'HEAD')).toBe('main');
    expect(await data('plan', 'status')).toMatchObject({ feature_branch: 'made/here' });
    expect(await data('git', 'merge-worktree', '1')).toMatchObject({ into: 'made/here' });
    expect((await place.run()).stdout).toContain('on branch made/here');
  },
  LONG,
);
