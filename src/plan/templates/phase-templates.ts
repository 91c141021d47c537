/** The kinds of phase files with a template. */
export const templateNames = ['generic', 'backend', 'frontend'] as const;
export type TemplateName = (typeof templateNames)[number];

interface Part {
  gates: string[];
  tasks: { title: string; items: string[] }[];
  criteria: string[];
}

const gates = {
  types: '- types: `{command that checks the types}`',
  lint: '- lint: `{command that checks the style}`',
  build: '- build: `{command that builds it all}`',
};
const tests = (covered: string) => `- tests: \`{command that runs the tests}\` (${covered})`;

const parts: Record<TemplateName, Part> = {
  generic: {
    gates: [tests('AC-1'), gates.lint],
    tasks: [
      {
        title: '{Name of the first part}',
        items: ['{First task} (AC-1)', '{Next task}'],
      },
      { title: 'Tests', items: ['{Test that proves it works} (AC-1)'] },
    ],
    criteria: ['AC-1: {What is true when this phase is done}'],
  },
  backend: {
    gates: [tests('AC-1, AC-2, AC-3'), gates.types, gates.lint],
    tasks: [
      {
        title: 'Data',
        items: ['{Tables, fields and migrations that change} (AC-1)', '{How existing data is migrated}'],
      },
      {
        title: 'Interface',
        items: [
          '{Endpoints or functions with their input and output} (AC-2)',
          '{Errors that the caller gets} (AC-3)',
        ],
      },
      { title: 'Tests', items: ['{Test of each endpoint or function, with bad input} (AC-2, AC-3)'] },
    ],
    criteria: [
      'AC-1: {What is stored, and what happens to old data}',
      'AC-2: {What a caller gets for good input}',
      'AC-3: {What a caller gets for bad input, or without permission}',
    ],
  },
  frontend: {
    gates: [tests('AC-1, AC-2, AC-3'), gates.types, gates.lint, gates.build],
    tasks: [
      {
        title: 'Components',
        items: ['{Pages and components that change} (AC-1)', '{Loading, empty and error states} (AC-2)'],
      },
      { title: 'Data', items: ['{Where the data comes from and where it is stored}'] },
      { title: 'Accessibility', items: ['{Keyboard and screen reader support} (AC-3)'] },
      { title: 'Tests', items: ['{Test of each user action} (AC-1, AC-2, AC-3)'] },
    ],
    criteria: [
      'AC-1: {What the user can see and do}',
      'AC-2: {What the user sees while loading, when empty, and on errors}',
      'AC-3: {What works without a mouse}',
    ],
  },
};

/** A phase file, to be filled in. What is in braces is a placeholder. */
export const phaseTemplates = {
  generic: phaseTemplate(parts.generic),
  backend: phaseTemplate(parts.backend),
  frontend: phaseTemplate(parts.frontend),
} satisfies Record<TemplateName, string>;

function phaseTemplate({ gates, tasks, criteria }: Part): string {
  const groups = tasks.map(({ title, items }, group) =>
    [
      `### ${group + 1}. ${title}`,
      '',
      ...items.map((item, index) => `- [ ] ${group + 1}.${index + 1}: ${item}`),
    ].join('\n'),
  );
  return `# Phase {N}: {Phase Title}

**Status:** Pending
**Depends On:** {Phase N-1 or N/A}
**GitHub Issues:** {Issues that this phase covers or N/A}
**Master Plan:** [{Feature}](MASTER_PLAN.md)

## Process Wrapper

- [ ] Read previous notes: {Notes of Phase N-1 or N/A}
- [ ] **[IMPLEMENTATION - see Tasks below]**
- [ ] Run all gates, and correct what fails until they pass
- [ ] Write notes to: \`notes/NOTES_phase_{N}.md\`

## Overview

{What this phase changes, and why it comes now}

## Gates

${gates.join('\n')}

## Tasks

${groups.join('\n\n')}

## Acceptance Criteria

${criteria.map((criterion) => `- ${criterion}`).join('\n')}
`;
}
