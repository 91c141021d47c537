import { describe, expect, it } from 'vitest';
import { auditPlan } from '../../../src/plan/audit/audit-plan.ts';
import { auditText } from '../../../src/plan/audit/formats.ts';
import { printPlan } from '../../../src/plan/grammar/edit-plan.ts';
import { cpuTime } from '../../support/cpu-time.ts';
import { spread } from '../../support/long.ts';
import { good, master, planOf, planWith, row } from '../grammar/plans.ts';

/** Generous, so that a busy machine does not fail it: quadratic time would be a hundred times as long. */
const SLACK_MS = 500;

/** The same work on a text and on one ten times as long, repeated once if it took too long. */
function growsWithSize(work: (size: number) => unknown, size: number): boolean {
  const isSteady = () => cpuTime(() => work(size)) < 40 * cpuTime(() => work(size / 10)) + SLACK_MS;
  return isSteady() || isSteady();
}

describe('AUD-4 time grows with the size', () => {
  it.each<[string, (count: number) => string[]]>([
    ['phases', (count) => Array.from({ length: count }, () => good)],
    [
      'a chain of phases',
      (count) => Array.from({ length: count }, (_, i) => `**Depends On:** ${i || 'N/A'}\n${good}`),
    ],
    [
      'a circle of phases',
      (count) => Array.from({ length: count }, (_, i) => `**Depends On:** ${((i + 1) % count) + 1}\n${good}`),
    ],
  ])('%s', (_, phases) => {
    expect(growsWithSize((count) => auditPlan(planWith(...phases(count))), 3000)).toBe(true);
  });

  it.each(
    spread<[string, string]>([
      ['tasks', '## Tasks\n- [ ] 1.1: a (AC-1)\n'],
      ['gates', '## Gates\n- a: `npm test`\n'],
      ['criteria', '## Acceptance Criteria\n- AC-1: a\n'],
      ['dependencies', '**Depends On:** Phase 1, Phase 2\n'],
      ['names without a value', '**Depends On:**\n\n'],
      ['values that go on', '**Depends On:** 1,\n2,\n'],
      ['placeholders', '{Feature} `TBD` [Describe it] <your x> '],
      ['agents', '**AGENT:a** subagent_type=b '],
      ['notes', 'Read notes: `a`, write notes: `b`\n'],
      ['bold type', '**a**:**b:** '],
      ['blanks', '         \t         '],
      ['pipes', '| a '],
      ['open brackets', '[[(('],
      ['backticks', '`a``b```'],
      ['headings', '## Gates\n## Tasks\n'],
      ['nested lists', '- - - - a\n'],
      ['quotes', '> > > a\n'],
      ['one line', 'word '],
      ['an empty code block without an end', '```\n'],
      ['emoji', '🎉'],
      ['front matter', '---\na: b\n'],
    ]),
  )('a file full of %s', (_, piece) => {
    const text = (size: number) => piece.repeat(Math.ceil(size / piece.length));
    const audit = (size: number) => {
      const plan = planOf({
        'MASTER_PLAN.md': master(row(1)) + text(size),
        'phase-1.md': `# Phase 1: x\n\n${text(size)}`,
      });
      return auditText(auditPlan(plan, { agents: new Set() }), plan, (file) => file);
    };
    expect(growsWithSize(audit, 120_000)).toBe(true);
  });
});

describe('AUD-4 time for long lines grows with their length', () => {
  const timed = (text: string) =>
    cpuTime(() => auditPlan(planOf({ 'MASTER_PLAN.md': `${master(row(1))}${text}`, 'phase-1.md': text })));

  it.each<[string, (index: number) => string]>([
    ['## Tasks\n- [ ] a\n', (index) => `  - AC-${index}\n`],
    ['## Gates\n- a: `b`\n', (index) => `  - AC-${index}\n`],
    ['', (index) => `AGENT:x${index}\n`],
    ['', (index) => `subagent_type=x${index} `],
    ['**Depends On:** ', () => '1-99, '],
    [`**Created:** ${'x'.repeat(200_000)}\n`, () => 'x\n'],
  ])('%j with thousands of pieces', (start, piece) => {
    const text = start + Array.from({ length: 15_000 }, (_, index) => piece(index)).join('');
    expect(timed(text)).toBeLessThan(8000);
  });

  it.each(
    spread([
      '## Gates\n- t: a',
      '## Gates\n- t: `a',
      '## Gates\n- **a',
      '**Status:** ',
      '# Phase',
      '**a:',
      'Write notes ',
    ]),
  )('%j that never ends', (start) => {
    const runs = [' ', '\t', '-', '.', '*', '`', '(', '[', '{', '/a', ':', '1'];
    for (const run of runs)
      expect(timed(`${start}${run.repeat(100_000 / run.length)}b`), run).toBeLessThan(3000);
  });
});

describe('PLAN-1 PLAN-2 anything can be read', () => {
  it.each<[string, string]>([
    ['nothing', ''],
    ['only emoji', '🎉🎉🎉'],
    ['only a byte order mark', '\uFEFF'],
    ['only line ends', '\r\n\r\r\n\n'],
    ['NUL', '# a\0b\n\0| 1 | \0 |\n'],
    ['half of a letter', '# \uD83D\n'],
    ['other line ends', '# a\u2028## Gates\u2029- a: b\u0085'],
    ['a table that never ends', '## Phases\n\n| Phase | Title |\n|---|---|\n|'],
    [
      'names of an object',
      '**constructor:** x\n**__proto__:** y\n## Gates\n- constructor: 0\n- __proto__: 0\n- toString: ok\n',
    ],
  ])('%s', (_, text) => {
    const files = { 'MASTER_PLAN.md': text, 'phase-1.md': text };
    const plan = planOf({ ...files, 'MASTER_PLAN.md': `${master(row(1))}${text}` });
    expect(() =>
      auditPlan(plan, { programs: new Set(), scripts: new Set(), agents: new Set() }),
    ).not.toThrow();
    expect(auditPlan(planOf(files)).passed).toBe(false);
    expect(printPlan(planOf(files))[0]?.text).toBe(text);
  });
});
