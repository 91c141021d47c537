import fc from 'fast-check';
import { expect, test } from 'vitest';
import { auditPlan } from '../../../src/plan/audit/audit-plan.ts';
import { printPlan, setStatus } from '../../../src/plan/grammar/edit-plan.ts';
import { parsePlan } from '../../../src/plan/grammar/parse-plan.ts';
import { planFromProgress } from '../../../src/plan/progress/plan-from-progress.ts';
import { progressFromPlan } from '../../../src/plan/progress/progress-from-plan.ts';
import { progressIn, readProgress } from '../../../src/plan/progress/read-progress.ts';
import { cases } from '../../support/long.ts';

/** The two progress files of the seed, and one with every section that its ancestor writes. */
const INTERACTIVE = `# Progress: Interactive Test

## Status

In Progress

## Tasks

### Phase 1: Setup

- [ ] Configure project

## Testing Strategy

Basic tests.
`;
const MULTI_ROUND = `# Progress: Multi-Round Test

## Status

RALPH_DONE

## Tasks

### Phase 1: Done

- [x] Task complete
`;
const WHOLE = `# Progress: Shop | "all" of it

## Status

In Progress

## Analysis

There is a table already:

| a | b |
|---|---|
| 1 | 2 |

## Tasks

The order matters.

### Phase 1: Data [db]

- [x] Tables
- [x] Migrations
  with a second line

### Phase 2: \`Web\` | pages

- [ ] List
  - [x] and its price
- no task

\`\`\`sh
## Tasks
- [y] in code
\`\`\`

## Testing Strategy

- Run it.

## Completed This Iteration

- [x] Tables

## Recent Attempts

### Iteration 1

- Tried: a

## Iteration Log

| Iteration | Started |
|-----------|---------|
| 1 | now |
`;

const files = (text: string) => planFromProgress(read(text));
const plan = (text: string) =>
  parsePlan(files(text).map(({ name, content }) => ({ path: name, text: content })));

test.each([
  ['interactive_planning', INTERACTIVE],
  ['multi_round_qa', MULTI_ROUND],
  ['one with everything', WHOLE],
])('SEED-1 the progress file of %s becomes a plan and comes back line by line', (_, text) => {
  expect(progressFromPlan(plan(text))).toBe(text);
  expect(files(progressFromPlan(plan(text)))).toEqual(files(text));
  expect(auditPlan(plan(text), {}).issues.filter(({ severity }) => severity === 'error')).toEqual([]);
});

const awkward = fc.array(
  fc.constantFrom(
    ...[
      'text',
      '- [ ] open',
      '- [x] done',
      '  - [ ] nested',
      '',
      '| a | b |',
      '|---|---|',
      '| 1 | [x](y.md) |',
      '```',
      '# Title',
    ],
    ...[
      '## Other',
      '## Phases',
      '## Gates',
      '#### Group',
      '---',
      '===',
      '> quote',
      '<!--',
      '-->',
      '    code',
      '**Status:** Done',
    ],
    ...[
      '**Depends On:** Phase 9',
      '1. [ ] numbered',
      'a | b',
      '\\',
      '{brace}',
      '[link][ref]',
      '[ref]: x.md',
      '* * *',
    ],
  ),
  { maxLength: 8 },
);

test('SEED-1 loses no line of a progress file on the way to the plan and back', () => {
  fc.assert(
    fc.property(awkward, awkward, awkward, awkward, (head, first, second, tail) => {
      const lines = [
        ...['# Progress: X', '', '## Status', '', 'In Progress', '', ...head, '', '## Tasks', ''],
        ...[
          '### Phase 1: A',
          '',
          ...first,
          '',
          '### Phase 2: B',
          '',
          ...second,
          '',
          '## Testing Strategy',
          '',
          ...tail,
        ],
      ];
      const text = lines.join('\n');
      const progress = readProgress(text);
      if (!progress) return; // a fence or comment that never ends hides the tasks
      const back = progressFromPlan(plan(text)).split('\n');
      const kept = new Map<string, number>();
      for (const line of back) kept.set(unmarked(line), (kept.get(unmarked(line)) ?? 0) + 1);
      for (const line of lines) {
        if (line.trim() === '' || line === 'In Progress') continue;
        const left = (kept.get(unmarked(line)) ?? 0) - 1;
        expect(left, `${JSON.stringify(line)} of\n${text}\n---\n${back.join('\n')}`).toBeGreaterThanOrEqual(
          0,
        );
        kept.set(unmarked(line), left);
      }
    }),
    { numRuns: cases(300) },
  );
});

const unmarked = (line: string) => line.replace('[x]', '[ ]');

test('SEED-1 a finished phase keeps its lines: only open boxes change, and a box in code is not a task', () => {
  const open = '# Progress: X\n\n## Status\n\nIn Progress\n\n## Tasks\n\n### Phase 1: A\n\n';
  const text = `${open}* [X] star\n\n\`\`\`md\n- [ ] example\n\`\`\`\n`;
  expect(plan(text).phases).toMatchObject([{ status: 'completed' }]);
  expect(progressFromPlan(plan(text))).toBe(text.replace('In Progress', 'RALPH_DONE'));
});

test('SEED-1 phases, tasks and status become those of the plan', () => {
  const { title, phases } = plan(WHOLE);
  expect(title).toBe('Shop | "all" of it');
  expect(
    phases.map(({ id, title, status, dependsOn }) => [id, title, status, dependsOn.map((d) => d.id)]),
  ).toEqual([
    ['1', 'Data [db]', 'completed', []],
    ['2', 'Web | pages', 'pending', ['1']],
  ]);
  expect(phases[1]?.file?.tasks.map(({ text, done }) => [text, done])).toEqual([
    ['List', false],
    ['and its price', true],
  ]);
});

test('SEED-1 RALPH_DONE ends every phase, and a plan whose phases are all done contains it', () => {
  expect(plan(MULTI_ROUND.replace('[x]', '[ ]')).phases[0]?.status).toBe('completed');
  const open = plan(INTERACTIVE);
  const done = parsePlan(printPlan(open, setStatus(open, '1', 'completed')));
  expect(progressFromPlan(done)).toBe(INTERACTIVE.replace('In Progress', 'RALPH_DONE').replace('[ ]', '[x]'));
});

test('SEED-1 a plan of our own has a progress file with its phases, tasks and gates', () => {
  const master =
    '# Shop - Master Plan\n\n## Phases\n\n| Phase | Title | Focus | Risk | Status |\n|---|---|---|---|---|\n| 1 | [Data](phase-1.md) | all | Low | Pending |\n\n## Risks\n\n- None.\n';
  const phase =
    '# Phase 1: Data\n\n**Status:** Pending\n\n## Gates\n\n- tests: `npm test`\n\n## Tasks\n\n### 1. Tables\n\n- [ ] 1.1: Make them\n\n## Acceptance Criteria\n\n- AC-1: There.\n';
  const text = progressFromPlan(
    parsePlan([
      { path: 'MASTER_PLAN.md', text: master },
      { path: 'phase-1.md', text: phase },
    ]),
  );
  expect(text).toBe(
    '# Progress: Shop\n\n## Status\n\nIn Progress\n\n## Tasks\n\n### Phase 1: Data\n\n#### 1. Tables\n\n- [ ] 1.1: Make them\n\n## Risks\n\n- None.\n\n## Testing Strategy\n\n### Phase 1: Data\n\n- tests: `npm test`\n',
  );
  expect(plan(text).phases.map(({ id, title, file }) => [id, title, file?.tasks.length])).toEqual([
    ['1', 'Data', 1],
  ]);
});

test.each([
  ['### Setup\n\n- [ ] A\n\n### Setup\n\n- [ ] B', ['1', '2']],
  ['### Phase 1\n\n- [ ] A\n\n### Phase 1: again\n\n- [ ] B', ['1', '2']],
  ['### Phase 2: b\n\n- [ ] A\n\n### Phase 10\n\n- [ ] B', ['2', '10']],
  ['- [ ] A', ['1']],
])('SEED-1 every phase has a unique id: %j', (tasks, ids) => {
  const text = `# Progress: X\n\n## Tasks\n\n${tasks}\n`;
  expect(plan(text).phases.map(({ id }) => id)).toEqual(ids);
  expect(progressFromPlan(plan(text)).replace('## Status\n\nIn Progress\n\n', '')).toContain(tasks);
});

test.each([
  '- [] A',
  '- [y] A',
  '- [ x] A',
  '- [x A',
  '-[ ] A',
  '- [ ]A',
  '* [✓] A',
  '1. [-] A',
  '- [  ] A',
  '- [ A',
])('SEED-1 a broken check box is reported with its line: %s', (line) => {
  const { problems } = read(`# Progress: X\n\n## Tasks\n\n### Phase 1: A\n\n- [ ] fine\n${line}\n`);
  expect(problems).toEqual([
    { line: 8, message: `"${line}" is not a check box.`, suggestion: expect.stringContaining('- [x] ') },
  ]);
});

test.each(['- [a link](x.md) A', '- [x](x.md)', '- [API] A', '- a [y] b', '- [x]', '    - [ ] nested'])(
  'SEED-1 this is not a broken check box: %s',
  (line) => {
    expect(read(`# Progress: X\n\n## Tasks\n\n- [ ] fine\n${line}\n`).problems).toEqual([]);
  },
);

test('SEED-1 a progress file is found in an answer, with a fence or other text around it', () => {
  for (const answer of [
    INTERACTIVE,
    `Here it is:\n\n${INTERACTIVE}`,
    `Sure.\n\`\`\`markdown\n${INTERACTIVE}\`\`\`\nBye.`,
  ]) {
    expect(progressIn(answer)).toBe(INTERACTIVE);
  }
  for (const answer of ['', '# Progress: X', '# Plan\n\n## Tasks\n\n- [ ] A', '## Progress: X\n\n## Tasks']) {
    expect(progressIn(answer)).toBeUndefined();
  }
});

function read(text: string) {
  const progress = readProgress(text);
  if (!progress) throw new Error('not a progress file');
  return progress;
}
