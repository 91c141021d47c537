import type { PlannerAnswer } from '../../agents/roles/planner-answer.ts';
import type { NewFile } from '../write-plan-folder.ts';

type Phase = PlannerAnswer['phases'][number];

/** The files of the plan that a Planner described. */
export function planFiles(answer: PlannerAnswer, created: string): NewFile[] {
  return [
    { name: 'MASTER_PLAN.md', content: masterFile(answer, created) },
    ...answer.phases.map((phase, index) => ({
      name: `phase-${index + 1}.md`,
      content: phaseFile(phase, index + 1),
    })),
  ];
}

function masterFile({ title, overview, phases }: PlannerAnswer, created: string): string {
  const rows = phases.map((phase, index) => {
    const number = index + 1;
    return `| ${number} | [${cell(phase.title)}](phase-${number}.md) | ${phase.tasks.length} task(s) | Medium | Pending |`;
  });
  return `# ${escaped(title)} - Master Plan

**Created:** ${created}

## Overview

${overview || escaped(title)}

## Phases

| Phase | Title | Focus | Risk | Status |
|-------|-------|-------|------|--------|
${rows.join('\n')}
`;
}

function phaseFile({ title, dependsOn, tasks, gates, criteria }: Phase, number: number): string {
  const before = [...new Set(dependsOn)].sort((a, b) => a - b).map((position) => position + 1);
  const notes = before.map((phase) => `\`notes/NOTES_phase_${phase}.md\``).join(', ') || 'N/A';
  const ids = criteria.map((_, index) => `AC-${index + 1}`);
  // We do not ask which task covers which criterion, so the gates have to prove them all.
  const covers = ids.length > 0 ? ` (${ids.join(', ')})` : '';
  const parts = [
    `# Phase ${number}: ${escaped(title)}`,
    `**Status:** Pending\n**Depends On:** ${before.map((phase) => `Phase ${phase}`).join(', ') || 'N/A'}`,
    `## Process Wrapper\n
- [ ] Read previous notes: ${notes}
- [ ] **[IMPLEMENTATION - see Tasks below]**
- [ ] Run all gates, and correct what fails until they pass
- [ ] Write notes to: \`notes/NOTES_phase_${number}.md\``,
    `## Gates\n\n${gates.map(({ name, command }) => `- ${escaped(name)}: ${code(command)}${covers}`).join('\n')}`,
    `## Tasks\n\n${tasks.map((task, index) => `- [ ] ${number}.${index + 1}: ${task}`).join('\n')}`,
    ...(criteria.length > 0
      ? [`## Acceptance Criteria\n\n${criteria.map((text, index) => `- ${ids[index]}: ${text}`).join('\n')}`]
      : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** As many backticks as the command requires. */
function code(command: string): string {
  const longest = Math.max(0, ...[...command.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${command} ${fence}` : `${fence}${command}${fence}`;
}

const escaped = (text: string) => text.replace(/[\\`*_[\]<>#]/g, '\\$&');
const cell = (text: string) => escaped(text).replaceAll('|', '\\|');
