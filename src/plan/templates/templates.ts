import { type OwnFile, readOwnFile } from '../../files/read-bounded.ts';
import { FermataError } from '../../schema/error.ts';

/** The prompts whose task a project can word itself: their required and optional placeholders. */
const prompts = {
  convert: {
    required: 'source_content',
    known: ['source_content', 'master_template', 'phase_template', 'previous_issues_section'],
  },
  draft: { required: 'idea', known: ['idea', 'repository', 'vagueness', 'decisions'] },
  'plan-from-issues': { required: 'issues', known: ['issues', 'repository', 'decisions', 'assumptions'] },
} as const;
type PlanPrompt = keyof typeof prompts;
export const planPrompts = Object.keys(prompts) as PlanPrompt[];

/** The project's own templates; each replaces the built-in one. */
export interface OwnTemplates {
  master?: OwnFile | undefined;
  phase?: OwnFile | undefined;
  prompt?: OwnFile | undefined;
}

const TEMPLATES = '.claude/fermata/templates';
const PROMPTS = '.claude/fermata/prompts';
const MASTER = `${TEMPLATES}/MASTER_TEMPLATE.md`;
const PHASE = `${TEMPLATES}/PHASE_GENERIC.md`;
const promptPath = (name: PlanPrompt) => `${PROMPTS}/${name}.md`;

/** The paths of all of them. */
export const ownTemplatePaths: readonly string[] = [MASTER, PHASE, ...planPrompts.map(promptPath)];

/** The project's own templates for one of the prompts. Refuses a prompt that cannot be filled in. */
export function readOwnTemplates(root: string, name: PlanPrompt): OwnTemplates {
  const { required, known } = prompts[name];
  const prompt = readOwnFile(root, promptPath(name));
  if (prompt) checkTemplate(prompt, required, known);
  return {
    master: readOwnFile(root, MASTER),
    phase: readOwnFile(root, PHASE),
    prompt,
  };
}

/** `{name}` is a placeholder; `{{name}}` gives a literal `{name}`. */
const placeholder = /\{\{(\w+)\}\}|\{(\w+)\}/g;

/** Fills a template in one pass, so that inserted text is never read as a template. */
export function fillTemplate(template: string, values: Record<string, string>): string {
  return template.replace(placeholder, (whole, literal: string | undefined, name: string) => {
    if (literal !== undefined) return `{${literal}}`;
    return Object.hasOwn(values, name) ? (values[name] ?? '') : whole;
  });
}

export const hasPlaceholder = (template: string, name: string) =>
  [...template.matchAll(placeholder)].some(([, , found]) => found === name);

/** Refuses a template with an unknown placeholder, or without the required one. */
function checkTemplate({ path, text }: OwnFile, required: string, known: readonly string[]): void {
  const all = `${known.map((name) => `{${name}}`).join(', ')}`;
  for (const { 2: name, index } of text.matchAll(placeholder)) {
    if (name === undefined || known.includes(name)) continue;
    const line = text.slice(0, index).split('\n').length;
    throw new FermataError(
      'invalid',
      `${path}, line ${line}: {${name}} is not a placeholder. Use ${all}, or write {{${name}}} for the text itself.`,
    );
  }
  if (hasPlaceholder(text, required)) return;
  throw new FermataError(
    'invalid',
    `${path} lacks the placeholder {${required}}. Add it. The placeholders are ${all}.`,
  );
}

/** The master file of a plan, to be filled in. What is in braces is a placeholder. */
export const masterTemplate = `# {Feature} - Master Plan

**Created:** {YYYY-MM-DD}
**GitHub Issues:** N/A
**GitHub Repo:** N/A

## Overview

{What to build, for whom, and why}

## Goals

1. {What must be true when the plan is done}

## Phases

| Phase | Title | Focus | Risk | Status |
|-------|-------|-------|------|--------|
| {N} | [{Phase Title}](phase-{N}.md) | {What this phase is about} | {Low or Medium or High} | Pending |

## Assumptions

- {What you assume, and why}

## Out of Scope

- {What you leave out on purpose}

## Risks

| Risk | Impact | Mitigation |
|------|--------|------------|
| {What could go wrong} | {Low or Medium or High} | {How you reduce the risk} |
`;

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
