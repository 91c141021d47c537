import { type Feature, featureOf } from './features.ts';
import type { DemoIssue } from './sample-issues.ts';

/** One phase of the demo's plan, and what its agent does. */
export interface DemoPhase {
  id: string;
  title: string;
  issue: DemoIssue;
  feature: Feature;
  /** Asks a person; makes a mistake that a gate finds; has two variants. */
  part: 'asks' | 'errs' | 'variants';
}

const parts = ['asks', 'errs', 'variants'] as const;

/** One phase per issue; each shows something different. */
export function demoPhases(issues: readonly DemoIssue[]): DemoPhase[] {
  return issues.map((issue, index) => ({
    id: String(index + 1),
    title: issue.title,
    issue,
    feature: featureOf(issue),
    part: parts[index % parts.length] ?? 'asks',
  }));
}

/** The plan as the scripted agent writes it. `forgetful`: without the gates, which the audit reports. */
export function planText(phases: readonly DemoPhase[], forgetful: boolean): string {
  const last = String(phases.length + 1);
  const rows = [...phases.map(({ id, title }) => [id, title]), [last, 'Update the change log']].map(
    ([id, title]) =>
      `| ${id} | [${title?.replaceAll('|', '/')}](phase-${id}.md) | ${title?.replaceAll('|', '/')} | Low | Pending |`,
  );
  const master = `# Demo - Master Plan

## Overview

One phase for each issue, then the change log.

## Phases

| Phase | Title | Focus | Risk | Status |
|-------|-------|-------|------|--------|
${rows.join('\n')}
`;
  const files = [
    { name: 'MASTER_PLAN.md', content: master },
    ...phases.map((phase) => ({ name: `phase-${phase.id}.md`, content: phaseText(phase, forgetful) })),
    { name: `phase-${last}.md`, content: lastPhase(last, phases) },
  ];
  return files.map(({ name, content }) => `---FILE: ${name}---\n${content}---END FILE---`).join('\n');
}

function phaseText({ id, title, feature, part, issue }: DemoPhase, forgetful: boolean): string {
  const gates = forgetful
    ? ''
    : `## Gates\n\n- tests: \`node --test test/${feature.name}.test.js\` (AC-1)\n\n`;
  return `${part === 'variants' ? '---\nvariants: [A, B]\n---\n\n' : ''}# Phase ${id}: ${title}

**Status:** Pending
**Depends On:** N/A
**GitHub Issues:** #${issue.number}

## Process Wrapper

- [ ] Read the issue #${issue.number}
- [ ] Implement, run the gates
- [ ] Write notes to \`notes/NOTES_phase_${id}.md\`

${gates}## Tasks

- [ ] Write src/${feature.name}.js (AC-1)
- [ ] Write test/${feature.name}.test.js (AC-1)

## Acceptance Criteria

- AC-1: The tests of issue #${issue.number} pass.
`;
}

function lastPhase(id: string, phases: readonly DemoPhase[]): string {
  return `# Phase ${id}: Update the change log

**Status:** Pending
**Depends On:** ${phases.map((phase) => `Phase ${phase.id}`).join(', ')}

## Process Wrapper

- [ ] Read the notes of the other phases
- [ ] Write notes to \`notes/NOTES_phase_${id}.md\`

## Gates

- everything: \`node --test\` (AC-1)
- changes: \`test -s CHANGELOG.md\` (AC-1)

## Tasks

- [ ] Write CHANGELOG.md (AC-1)

## Acceptance Criteria

- AC-1: The change log lists everything that was done, and all tests pass.
`;
}
