import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A plan of this many phases, about 1.5 KB each, as people write them. `dependsOn` says which phase a phase waits for.
 */
export function writePlan(
  folder: string,
  count: number,
  dependsOn: (phase: number) => number | undefined = () => undefined,
): void {
  mkdirSync(folder, { recursive: true });
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  writeFileSync(join(folder, 'MASTER_PLAN.md'), master(numbers));
  for (const number of numbers)
    writeFileSync(join(folder, `phase-${number}.md`), phase(number, dependsOn(number)));
}

function master(numbers: readonly number[]): string {
  const rows = numbers.map(
    (number) =>
      `| ${number} | [Part ${number} of the work](phase-${number}.md) | one thing | Low | Pending |`,
  );
  return `# A long plan - Master Plan

**Created:** 2026-01-31
**GitHub Issues:** #10, #11

## Phases

| Phase | Title | Focus | Risk | Status |
|-------|-------|-------|------|--------|
${rows.join('\n')}
`;
}

function phase(number: number, before: number | undefined): string {
  return `# Phase ${number}: Part ${number} of the work

**Status:** Pending
**Depends On:** ${before === undefined ? 'N/A' : `Phase ${before}`}
**GitHub Issues:** #${number % 2 === 0 ? 10 : 11}

## Process Wrapper

- [ ] Read previous notes: ${before === undefined ? 'N/A' : `\`notes/NOTES_phase_${before}.md\``}
- [ ] **[IMPLEMENTATION - see Tasks below]**
- [ ] Run all gates, and correct what fails until they pass
- [ ] Write notes to: \`notes/NOTES_phase_${number}.md\`

## Overview

The part number ${number} *changes* one thing that was there before, and leaves the others as they are. It is
done with \`src/part-${number}.ts\`, which has a **function** for it; see [the design](https://example.org/design).
What depends on it goes on working, because the old name stays until the last phase; whoever uses the old name gets a
line in the log that says what to write instead, once per process and not more.

\`\`\`ts
export function part${number}(input: string): string {
  return input.trim();
}
\`\`\`

## Gates

- **tests**: \`node --test test/part-${number}.test.js\` (AC-1, AC-2)
- types: \`node --check src/part-${number}.js\`

## Tasks

### 1. What it does

- [ ] 1.1: Write the function, with the types of what goes in and what comes out (AC-1)
- [ ] 1.2: Refuse what cannot be right, with a sentence that says what to do (AC-2)

### 2. How it is known

- [ ] 2.1: A test for each of the two, with the input that was reported (AC-1, AC-2)
- [x] 2.2: A line in the documentation

## Acceptance Criteria

- AC-1: What was reported works.
- AC-2: Bad input is refused with a sentence that a person understands.
`;
}
