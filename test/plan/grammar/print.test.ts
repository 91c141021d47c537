import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editPlan, printPlan, setStatus } from '../../../src/plan/grammar/edit-plan.ts';
import type { Plan } from '../../../src/plan/grammar/plan.ts';
import { type Status, statuses } from '../../../src/plan/grammar/status.ts';
import { anyCodePoint } from '../../support/any-text.ts';
import { cases } from '../../support/long.ts';
import { good, master, planOf, row } from './plans.ts';

/** The lines that differ, as `path:line old → new`. */
function changes(before: Plan, after: Plan): string[] {
  const printed = new Map(printPlan(after).map((file) => [file.path, file.text.split('\n')]));
  return printPlan(before).flatMap(({ path, text }) => {
    const now = printed.get(path) ?? [];
    const lines = text.split('\n');
    expect(now).toHaveLength(lines.length);
    return lines.flatMap((line, index) =>
      line === now[index] ? [] : [`${path}:${index + 1} ${line} → ${now[index]}`],
    );
  });
}

const set = (plan: Plan, id: string, status: Status) => editPlan(plan, setStatus(plan, id, status));

describe('PLAN-4 a status change', () => {
  it('is one line in the table and one in the phase file', () => {
    const plan = planOf({ 'MASTER_PLAN.md': master(row(1), row(2)), 'phase-1.md': good, 'phase-2.md': good });
    const after = set(plan, '2', 'running');
    expect(changes(plan, after)).toEqual([
      'MASTER_PLAN.md:8 | 2 | [P2](phase-2.md) | f | Low | Pending | → | 2 | [P2](phase-2.md) | f | Low | In Progress |',
      'phase-2.md:3 **Status:** Pending → **Status:** In Progress',
    ]);
    expect(after.phases.map(({ status }) => status)).toEqual(['pending', 'running']);
    expect(changes(plan, set(after, '2', 'pending')), 'and back').toEqual([]);
  });

  it('keeps Windows line ends, a byte order mark, remarks, bold type and columns', () => {
    const text = (status: string) =>
      `\uFEFF${master(`| 1 | [A](a.md) | f \\| g | Low |${status}| extra |`).replaceAll('\n', '\r\n')}`;
    const plan = planOf({ 'MASTER_PLAN.md': text('  ⏳ **pending** since May  ') });
    expect(printPlan(set(plan, '1', 'completed'))).toEqual([
      { path: 'MASTER_PLAN.md', text: text('  ✅ **Completed** since May  ') },
    ]);
    const close = planOf({ 'MASTER_PLAN.md': text(' ⏳ pending ') });
    expect(printPlan(set(close, '1', 'failed'))[0]?.text).toBe(text(' ❌ Failed '));
    const drawn = planOf({ 'MASTER_PLAN.md': text(' ⛔\uFE0F Blocked ') });
    expect(printPlan(set(drawn, '1', 'completed'))[0]?.text).toBe(text(' ✅\uFE0F Completed '));
    const alone = planOf({ 'MASTER_PLAN.md': text('✅') });
    expect(printPlan(set(alone, '1', 'blocked'))[0]?.text).toBe(text('⛔'));
  });

  it('fills an empty cell, and adds a line if there is no place for it', () => {
    const empty = planOf({ 'MASTER_PLAN.md': master('| 1 | [A](a.md) | | | |'), 'a.md': '# Phase 1: A\n' });
    expect(changes(empty, set(empty, '1', 'completed'))).toHaveLength(1);
    const table = '# T\n\n## Phases\n\n| Phase | Title |\n|---|---|\n| 1 | [A](a.md) |\n';
    const none = planOf({ 'MASTER_PLAN.md': table, 'a.md': '# Phase 1: A\r\n\r\ntext\r\n' });
    const after = set(none, '1', 'completed');
    expect(printPlan(after)[1]?.text).toBe('# Phase 1: A\r\n\r\n**Status:** Completed\r\n\r\ntext\r\n');
    expect(after.phases[0]?.status).toBe('completed');
  });

  it('writes the correct word if the unknown word already meant that status', () => {
    const plan = planOf({ 'MASTER_PLAN.md': master(row(1)), 'phase-1.md': good.replace('Pending', 'soon') });
    expect(changes(plan, set(plan, '1', 'pending'))).toEqual([
      'phase-1.md:3 **Status:** soon → **Status:** Pending',
    ]);
  });

  it('to the current status changes nothing; for an unknown phase it is refused', () => {
    const plan = planOf({ 'MASTER_PLAN.md': master(row(1)), 'phase-1.md': good });
    expect(setStatus(plan, '1', 'pending')).toEqual([]);
    expect(() => setStatus(plan, '9', 'pending')).toThrow(/Phase 9 not found.*has: 1/);
  });
});

const word = fc.stringMatching(/^[A-Za-zäöü][A-Za-zäöü0-9 ]{0,12}[a-z]$/);
const status = fc.constantFrom(
  'Pending',
  'in progress',
  '✅ Done',
  '**FAILED**',
  'blocked: x',
  'Awaiting_Human',
);
const noise = fc.constantFrom(
  '',
  'Some text.\n\n',
  '```\n| 1 | [no](no.md) | x |\n- [ ] no\n```\n\n',
  '> a quote with **Status** in it\n\n',
  '<!-- - [ ] no -->\n\n',
  '| A | B |\n|---|---|\n| 1 | [no](no.md) |\n\n',
  '* * *\n\n',
);
const phase = fc.record({
  title: word,
  status,
  after: fc.array(fc.nat({ max: 8 }), { maxLength: 3 }),
  tasks: fc.array(fc.record({ text: word, done: fc.boolean() }), { maxLength: 4 }),
  gates: fc.array(word, { maxLength: 3 }),
  noise,
});
const written = fc.record({
  title: word,
  phases: fc.array(phase, { maxLength: 6 }),
  noise,
  lineEnd: fc.constantFrom('\n', '\r\n'),
  mark: fc.constantFrom('', '\uFEFF'),
});
type Written = typeof written extends fc.Arbitrary<infer Value> ? Value : never;

/** An arbitrary plan in an arbitrary spelling. */
function write({ title, phases, noise, lineEnd, mark }: Written): Record<string, string> {
  const rows = phases.map(
    ({ title, status }, index) => `| ${index + 1} | [${title}](p${index + 1}.md) | ${status} |\n`,
  );
  const table = `| # | Title | Status |\n|---|:--|---|\n${rows.join('')}`;
  const files: Record<string, string> = {
    'MASTER_PLAN.md': `# ${title} - Master Plan\n\n${noise}## Phases\n\n${table}`,
  };
  phases.forEach(({ title, status, after, tasks, gates, noise }, index) => {
    const boxes = tasks.map(({ text, done }) => `- [${done ? 'x' : ' '}] ${text}\n`);
    const commands = gates.map((name) => `- **${name}**: \`run ${name}\`\n`);
    const on = after.length === 0 ? 'N/A' : after.map((id) => `Phase ${id}`).join(', ');
    files[`p${index + 1}.md`] =
      `# Phase ${index + 1}: ${title}\n\n**Status:** ${status}\n**Depends On:** ${on}\n\n${noise}## Tasks\n\n${boxes.join('')}\n## Gates\n\n${commands.join('')}`;
  });
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, mark + text.replaceAll('\n', lineEnd)]),
  );
}

describe('PLAN-4 parse and print', () => {
  it('any plan is read as it was written', () => {
    fc.assert(
      fc.property(written, (given) => {
        const plan = planOf(write(given));
        expect(plan.title).toBe(given.title);
        expect(
          plan.phases.map(({ title, file, dependsOn }) => ({
            title,
            after: dependsOn.map(({ id }) => Number(id)),
            tasks: file?.tasks.map(({ text, done }) => ({ text, done })),
            gates: file?.gates.map(({ command }) => command),
          })),
        ).toEqual(
          given.phases.map(({ title, after, tasks, gates }) => ({
            title,
            after: [...new Set(after)],
            tasks,
            gates: gates.map((name) => `run ${name}`),
          })),
        );
      }),
      { numRuns: cases(150) },
    );
  });

  it('printing gives back the same text, and reading it again gives the same plan', () => {
    fc.assert(
      fc.property(written, (given) => {
        const files = write(given);
        const plan = planOf(files);
        const printed = Object.fromEntries(printPlan(plan).map(({ path, text }) => [path, text]));
        expect(printed).toEqual(files);
        expect(planOf(printed)).toEqual(plan);
      }),
      { numRuns: cases(80) },
    );
  });

  it('any text is printed unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint, maxLength: 120 }), (text) => {
        const files = { 'MASTER_PLAN.md': master(row(1)) + text, 'phase-1.md': text };
        const printed = printPlan(planOf(files));
        expect(printed.map((file) => file.text)).toEqual(Object.values(files));
      }),
      { numRuns: cases(150) },
    );
  });

  it('a status change changes at most one line of a file, and nothing else of the plan', () => {
    fc.assert(
      fc.property(written, fc.nat(), fc.constantFrom(...statuses), (given, pick, wanted) => {
        if (given.phases.length === 0) return;
        const plan = planOf(write(given));
        const id = String((pick % given.phases.length) + 1);
        const after = set(plan, id, wanted);
        const lines = changes(plan, after);
        expect(new Set(lines.map((line) => line.split(':')[0])).size).toBe(lines.length);
        for (const [index, phase] of after.phases.entries()) {
          const before = plan.phases[index];
          expect(phase.status).toBe(phase.id === id ? wanted : before?.status);
          expect({ ...phase.file, status: null }).toEqual({ ...before?.file, status: null });
        }
      }),
      { numRuns: cases(150) },
    );
  });
});
