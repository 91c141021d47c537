import { parsePlan } from '../../../src/plan/grammar/parse-plan.ts';
import { parsePhase } from '../../../src/plan/grammar/phase.ts';
import type { Plan, PlanFile } from '../../../src/plan/grammar/plan.ts';

/** A phase without audit findings. */
export const good = `# Phase 1: One

**Status:** Pending

## Process Wrapper
- [ ] Write notes to: \`notes/N1.md\`

## Tasks
- [ ] Do it

## Gates
- tests: \`npm test\`
`;

const head = '| Phase | Title | Focus | Risk | Status |\n|-------|-------|-------|------|--------|';

/** A master file with these rows. */
export function master(...rows: string[]): string {
  return `# Shop - Master Plan\n\n## Phases\n\n${head}\n${rows.map((row) => `${row}\n`).join('')}`;
}

/** The row of a phase. */
export function row(id: string | number, path = `phase-${id}.md`, status = 'Pending'): string {
  return `| ${id} | [P${id}](${path}) | f | Low | ${status} |`;
}

/** A plan by the texts of its files. */
export function planOf(files: Record<string, string | PlanFile>): Plan {
  return parsePlan(
    Object.entries(files).map(([path, file]) => (typeof file === 'string' ? { path, text: file } : file)),
  );
}

/** A plan with a phase for each text. */
export function planWith(...phases: string[]): Plan {
  const files = phases.map((text, index) => [`phase-${index + 1}.md`, text]);
  return planOf({
    'MASTER_PLAN.md': master(...phases.map((_, index) => row(index + 1))),
    ...Object.fromEntries(files),
  });
}

/** A phase by its text alone. */
export function phaseOf(text: string) {
  return parsePhase({ path: 'phase-1.md', text });
}

/** `CODE file:line` of everything that could not be read. */
export function problemsOf({ problems }: Plan): string[] {
  return problems.map(({ code, file, span }) => `${code} ${file}:${span.line}`);
}
