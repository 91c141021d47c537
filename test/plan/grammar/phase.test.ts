import { describe, expect, it } from 'vitest';
import { master, phaseOf, planOf, planWith, problemsOf, row } from './plans.ts';

const gates = (text: string) =>
  phaseOf(`## Gates\n\n${text}\n`).gates.map(({ name, command }) => [name, command]);
const tasks = (text: string) => phaseOf(`## Tasks\n\n${text}\n`).tasks;
const ids = (text: string) => phaseOf(text).dependencies.map(({ id }) => id);

describe('PLAN-2 the title of a phase', () => {
  it.each([
    ['# Phase 2: Set up', '2', 'Set up'],
    ['# Phase 2 - Set up', '2', 'Set up'],
    ['# Shop – Phase 2.1: **Set** up', '2.1', 'Set up'],
    ['# Phase 2a: Set up', '2a', 'Set up'],
    ['Phase 3: Under\n==============', '3', 'Under'],
    ['# phase 4', '4', null],
    ['# Something else', null, null],
  ])('%s', (text, id, title) => {
    expect(phaseOf(`${text}\n`)).toMatchObject({ id, title });
  });

  it('comes from its file, or else from the table; the id comes from the table', () => {
    const plan = planOf({
      'MASTER_PLAN.md': master(row(1), row(2)),
      'phase-1.md': '# Phase 7: Own',
      'phase-2.md': '# x',
    });
    expect(plan.phases).toMatchObject([
      { id: '1', title: 'Own' },
      { id: '2', title: 'P2' },
    ]);
  });
});

describe('PLAN-2 gates', () => {
  it.each([
    ['- tests: npm test', 'tests', 'npm test'],
    ['- **tests**: `npm test`', 'tests', 'npm test'],
    ['- **tests:** npm test -- --run', 'tests', 'npm test -- --run'],
    ['- `lint`: `npm run lint`', 'lint', 'npm run lint'],
    ['- [ ] build: make -j2 all', 'build', 'make -j2 all'],
    ['1. unit:fast: `npm run test:unit`', 'unit:fast', 'npm run test:unit'],
    ['- `npm run test:unit`', 'npm run test:unit', 'npm run test:unit'],
    ['- tests: all pass, see `npm test`, with `--coverage`', 'tests', 'npm test'],
    ['- tests: `a` or **command:** `b`', 'tests', 'b'],
    ['- tests: ``echo `date` ``', 'tests', 'echo `date`'],
    ['- tests: `$ npm test`', 'tests', 'npm test'],
    ['- tests: `grep "a  b" x`', 'tests', 'grep "a  b" x'],
    ['- tests:npm test', 'tests', 'npm test'],
    ['- tests: npm test (AC-1, AC-2)', 'tests', 'npm test'],
    ['- coverage: ≥ 80 %', 'coverage', null],
    ['- pics: 7z t pics.7z', 'pics', '7z t pics.7z'],
    ['- ready: must be green', 'ready', null],
    ['- All tests pass', 'All tests pass', null],
    ['- tests:', 'tests', null],
    ['- tests: all pass', 'tests', null],
    ['- eslint: 0 errors', 'eslint', null],
    ['- tests: $ npm test', 'tests', 'npm test'],
    ['- `npm test`: all pass', 'npm test', 'npm test'],
    ['- `./check.sh`: ok', './check.sh', './check.sh'],
    ['- `lint`: 0 errors', 'lint', null],
    ['- tests:\n  ```bash\n  $ npm test\n  ```', 'tests', 'npm test'],
    ['- tests:\n\n      npm test', 'tests', 'npm test'],
    ['- tests:\n  ```\n  npm test\n\n  npm run lint\n  ```', 'tests', 'set -e\nnpm test\nnpm run lint'],
    ['- tests: `npm test`\n  ```\n  12 passed\n  ```', 'tests', 'npm test'],
    ['- tests:\n  - **Command:** `npm test`\n  - Expected: all pass', 'tests', 'npm test'],
    ['- vitest:\n  - Command: npm test\n  - Expected: all pass', 'vitest', 'npm test'],
    ['- ruff:\n  - 0 errors', '0 errors', null],
  ])('%s', (item, name, command) => {
    expect(gates(item)).toEqual([[name, command]]);
  });

  it('may be in groups: headings, and items with gates below', () => {
    expect(
      gates(
        '### A\n\n- a: x1 y\n\n### B\n\n- Backend:\n  - b: x2 y\n  - c: x3 y\n- d: x4 y\n  - only a remark: about d',
      ),
    ).toEqual([
      ['a', 'x1 y'],
      ['b', 'x2 y'],
      ['c', 'x3 y'],
      ['d', 'x4 y'],
    ]);
  });

  it('are in a group even if it has the name of a gate', () => {
    expect(gates('- Tests:\n  - unit: `npm test`\n  - e2e: `npm run e2e`')).toEqual([
      ['unit', 'npm test'],
      ['e2e', 'npm run e2e'],
    ]);
  });

  it('end with their section, and do not include an unrelated next line', () => {
    expect(gates('- a: run x\nstray text with `code`\n\n## Gateways\n\n- b: run y')).toEqual([
      ['a', 'run x'],
    ]);
  });

  it('know their line and column', () => {
    const [gate] = phaseOf('# Phase 1: x\n\n## Gates\n\n-   tests: `npm test`\n').gates;
    expect(gate).toMatchObject({ line: 5, span: { line: 5, column: 13, length: 8 } });
    const [same] = phaseOf('## Gates\n- lint: `lint`\n').gates;
    expect(same?.span).toEqual({ line: 2, column: 10, length: 4 });
    const [below] = phaseOf('## Gates\n- lint:\n  `make\n  lint`\n').gates;
    expect(below?.command).toBe('make lint');
  });
});

it('PLAN-2 a section may have a heading of any level, a number or an emoji', () => {
  const phase = phaseOf(
    '# Phase 1: x\n\n# Tasks\n- [ ] a\n## 2. **Gates** (all)\n- b: c d\n## Phase Details\n### ✅ Acceptance Criteria\n- AC-1: e\n',
  );
  expect(phase).toMatchObject({ tasks: [{ text: 'a' }], gates: [{ name: 'b' }], criteria: [{ id: 'AC-1' }] });
});

describe('PLAN-2 tasks', () => {
  it.each([
    ['- [ ] 1.1: a', '1.1', 'a'],
    ['- [ ] **1.1** a', '1.1', 'a'],
    ['- [ ] **1.1:** a', '1.1', 'a'],
    ['- [ ] 1.1 a', '1.1', 'a'],
    ['- [ ] 3: a', '3', 'a'],
    ['- [ ] 3. a', '3', 'a'],
    ['- [ ] T1: a', 'T1', 'a'],
    ['2. [ ] a', '2', 'a'],
    ['- [ ] 3 retries are made', undefined, '3 retries are made'],
    ['- [ ] a\n  goes on', undefined, 'a goes on'],
  ])('%s', (item, id, text) => {
    expect(tasks(item)).toMatchObject([{ text, done: false }]);
    expect(tasks(item)[0]?.id).toBe(id);
  });

  it('are done with an x, and are only items with a box', () => {
    expect(tasks('- [x] a\n- [X] b\n- c\n- [y] d').map(({ text, done }) => [text, done])).toEqual([
      ['a', true],
      ['b', true],
    ]);
  });

  it('are not those of another section or of a code block', () => {
    expect(phaseOf('- [ ] a\n\n## Tasks\n\n```\n- [ ] b\n```\n\n## More\n\n- [ ] c\n').tasks).toEqual([]);
  });
});

describe('PLAN-2 dependencies', () => {
  it.each([
    ['Phase 1', ['1']],
    ['1, 2a and 2.1', ['1', '2a', '2.1']],
    ['Phases 1-3', ['1', '2', '3']],
    ['Phase 1 (after Phase 9, of course), Phase 2', ['1', '2']],
    ['[Phase 3: Data, and more](phase-3.md)', ['3']],
    ['phases 1 2 3', ['1', '2', '3']],
    ['Phase 2 - the data', ['2']],
    ['Phase 1-5000', [null]],
    ['Phases 3-1', [null]],
    ['Phase 2-A', ['2-A']],
    ['Completion of Phase 2', ['2']],
    ['None', []],
    ['none (first phase)', []],
    ['None - this is the first phase', []],
    ['N/A, it can start at once', []],
    ['Phase 1 or 2', ['1', '2']],
    ['—', []],
    ['N/A', []],
    ['`n/a`', []],
    ['the database', [null]],
  ])('**Depends On:** %s', (value, expected) => {
    expect(ids(`**Depends On:** ${value}\n`)).toEqual(expected);
  });

  it('may be a list below the name, or continue on the next line', () => {
    expect(ids('**Depends On:**\n\n- Phase 1\n- [Phase 2](phase-2.md)\n\ntext\n')).toEqual(['1', '2']);
    expect(ids('**Depends On:** Phase 1,\n  Phase 2\n**Status:** Done\n')).toEqual(['1', '2']);
  });

  it('may be links or sentences of their section', () => {
    const plan = planOf({
      'MASTER_PLAN.md': master(row(1), row(2), row(3, 'data.md')),
      'phase-1.md': '## Depends On\n- [x] [The data](data.md)\n- Requires Phase 2\n- [Docs](docs.md)\n',
    });
    expect(plan.phases[0]?.dependsOn.map(({ id }) => id)).toEqual(['3', '2']);
    expect(problemsOf(plan).filter((problem) => problem.startsWith('MISSING'))).toEqual([]);
  });

  it('count once, however they are named', () => {
    const plan = planOf({
      'MASTER_PLAN.md': master(row(1), row(2, 'two.md')),
      'phase-1.md': '**Depends On:** 2, 02, [That one](two.md)\n',
    });
    expect(plan.phases[0]?.dependsOn.map(({ id }) => id)).toEqual(['2']);
  });

  it('may be thousands, in one line', () => {
    const many = Array.from({ length: 5000 }, (_, index) => String(index + 1));
    const { dependencies } = phaseOf(`**Depends On:** ${many.map((id) => `Phase ${id}`).join(', ')}\n`);
    expect(dependencies.map(({ id }) => id)).toEqual(many);
    expect(dependencies[1]?.span).toEqual({ line: 1, column: 26, length: 7 });
  });

  it('may be next to other requirements, if these need not be phases', () => {
    const plan = planOf({
      'MASTER_PLAN.md': master(row(1), row(2)),
      'phase-1.md': '# x\n',
      'phase-2.md':
        '**Dependencies:** Phase 1, PostgreSQL 14\n\n## Dependencies\n\n- Requires: Node 20\n- [API](https://example.org)\n- Phase 9\n',
    });
    expect(plan.phases[1]?.dependsOn.map(({ id }) => id)).toEqual(['1', '9']);
    expect(problemsOf(plan)).toEqual(['MISSING_DEPENDENCY phase-2.md:7']);
  });

  it('are read from front matter', () => {
    expect(phaseOf('---\nstatus: done\ndepends_on: [1, 2]\n---\n# Phase 3: x\n')).toMatchObject({
      status: { status: 'completed' },
      title: 'x',
      dependencies: [{ id: '1' }, { id: '2' }],
    });
  });

  it('of tasks are not those of the phase', () => {
    expect(ids('## Tasks\n\n- [ ] 1.2: b\n  **Depends On:** 1.1\n')).toEqual([]);
  });

  it('are found by id, by the file of a link, and by title', () => {
    const plan = planOf({
      'MASTER_PLAN.md': master(row('01'), row(2), row('3', 'sub/three.md'), row(4, 'sub/four.md')),
      'phase-2.md': '**Depends On:** 1, [before](phase-1.md), p3\n',
      'sub/four.md': '**Depends On:** [it](three.md)\n',
      'sub/three.md': '# x\n',
      'phase-01.md': '# x\n',
    });
    expect(plan.phases.map(({ dependsOn }) => dependsOn.map(({ id }) => id))).toEqual([
      [],
      ['01', null, '3'],
      [],
      ['3'],
    ]);
    expect(problemsOf(plan)).toEqual(['MISSING_DEPENDENCY phase-2.md:1']);
  });
});

describe('PLAN-2 notes', () => {
  const notes = (text: string) => {
    const { input, output } = phaseOf(text).notes;
    return [input?.path, output?.path];
  };

  it.each([
    [
      '- [ ] Read previous notes: `notes/a.md`\n- [ ] Write `notes/b.md` (REQUIRED)',
      'notes/a.md',
      'notes/b.md',
    ],
    ['Read `notes/a.md`, then write notes to `out/b.md`.', 'notes/a.md', 'out/b.md'],
    ['- **Notes Input:** notes/a.md\n- **Notes Output:** notes/b.md', 'notes/a.md', 'notes/b.md'],
    ['## Notes\n\n- Input: `a.md`\n- Output: [b](b.md)', 'a.md', 'b.md'],
    ['- [ ] Read previous notes: N/A\n- [ ] Save notes in notes/b.md.', undefined, 'notes/b.md'],
    ['- [ ] Read previous notes: `N/A`\n- [ ] Save notes in `notes/b.md`', undefined, 'notes/b.md'],
    ['- [ ] Write `src/notary.ts` and see the release notes', undefined, undefined],
    ['## Notes\n\nUpdate `docs/x.md`, and see `src/y.ts` and/or ask.', undefined, undefined],
    ['```\nWrite notes to: `notes/a.md`\n```', undefined, undefined],
    [
      '- [ ] Write notes to: `notes/NOTES_{Feature}_phase_{N}.md`',
      undefined,
      'notes/NOTES_{Feature}_phase_{N}.md',
    ],
  ])('%s', (text, input, output) => {
    expect(notes(`${text}\n`)).toEqual([input, output]);
  });
});

describe('PLAN-2 criteria and agents', () => {
  it('criteria keep their ids; tasks and gates say which they cover', () => {
    const phase = phaseOf(`## Tasks
- [ ] 1.1: a (AC-1)
- [ ] 1.2: b
  - shows AC-2
## Gates
- tests: \`npm test\` covers AC-1, AC-3
  - and AC-2
## Acceptance Criteria
- AC-1: it works
- [ ] **AC-2**: it is fast
- AC-3.1 – it is small
- without an id
`);
    expect(phase.criteria.map(({ id, text, line }) => [id, text, line])).toEqual([
      ['AC-1', 'it works', 9],
      ['AC-2', 'it is fast', 10],
      ['AC-3.1', 'it is small', 11],
      [null, 'without an id', 12],
    ]);
    expect(phase.tasks.map(({ covers }) => covers)).toEqual([['AC-1'], ['AC-2']]);
    expect(phase.gates.map(({ covers }) => covers)).toEqual([['AC-1', 'AC-3', 'AC-2']]);
  });

  it('have their line and column, even after the same letters', () => {
    const [agent] = phaseOf('## Tasks\n- [ ] Go on\n\n  with go: **AGENT:go** now\n').agents;
    expect(agent?.span).toEqual({ line: 4, column: 20, length: 2 });
  });

  it('agents are marked, called, or in their table', () => {
    const agents = (text: string) =>
      phaseOf(text).agents.map(({ name, required }) => `${name}${required ? '' : '?'}`);
    expect(agents('- [ ] AGENT:a does it\n- `AGENT:b-c`, please\n\nTask(subagent_type="d")\n')).toEqual([
      'a',
      'b-c',
      'd',
    ]);
    expect(agents('## Agents\n\n| Agent | When |\n|---|---|\n| x | always |\n| `y` | If needed |\n')).toEqual(
      ['x', 'y?'],
    );
    expect(agents('```\nAGENT:a\n```\n\nAsk AGENT:b about it.\n')).toEqual([]);
  });
});

it('PLAN-2 a plan is assembled from several files', () => {
  const plan = planWith('# Phase 1: One\n', '# Phase 2: Two\n\n**Depends On:** [One](phase-1.md)\n');
  expect(plan.phases).toMatchObject([
    { title: 'One' },
    { title: 'Two', dependsOn: [{ id: '1', known: true }] },
  ]);
});
