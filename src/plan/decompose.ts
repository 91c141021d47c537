import { type PlannerAnswer, readPlanner } from '../agents/roles/planner-answer.ts';
import type { RoleAnswer } from '../agents/roles/role-answer.ts';
import { auditPlan } from './audit/audit-plan.ts';
import { gatherSurroundings } from './audit/gather-surroundings.ts';
import { previousIssuesSection } from './convert/prompt.ts';
import { parsePlan } from './grammar/parse-plan.ts';
import type { NewFile } from './write-plan-folder.ts';

interface Decomposition {
  answer: PlannerAnswer;
  files: NewFile[];
}

/** A Planner's answer, as files that pass the audit; otherwise the Planner gets the audit's findings. */
export function readDecomposition(text: string, folder: string, created: string): RoleAnswer<Decomposition> {
  const answer = readPlanner(text);
  if (answer.kind !== 'answer') return answer;
  const files = planFiles(answer.value, created);
  const plan = parsePlan(files.map(({ name, content }) => ({ path: name, text: content })));
  const { passed, issues } = auditPlan(plan, gatherSurroundings(folder, plan));
  if (passed) return { kind: 'answer', value: { answer: answer.value, files } };
  const errors = issues.filter(({ severity }) => severity === 'error');
  return {
    kind: 'unreadable',
    reason: `The plan does not pass the audit.\n\n${previousIssuesSection(errors)}`,
  };
}

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
