import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Notification } from '../../../../src/schema/notification.ts';
import type { AgentScenarioInput, Step } from '../../../../src/testing/scenario.ts';
import { openQuestions } from '../../../support/asked.ts';
import { fermata, freshFolder, type Options } from '../../../support/fermata.ts';
import { commit, initRepository, sh } from '../../../work/support/repository.ts';

export interface TestPhase {
  id: string;
  dependsOn?: string[];
  gate?: string;
  front?: string;
  /** What its agent does, in each session from the beginning; then it says that it is done. */
  steps?: Step[];
  /** If it does something else each time. */
  scenario?: AgentScenarioInput;
}

export interface PlanRepository {
  cwd: string;
  at: Options;
  run(...args: string[]): ReturnType<typeof fermata>;
  inbox(): Promise<Notification[]>;
  git(...args: string[]): string;
}

export const DONE: Step = { do: 'say', text: '{"status":"success","summary":"done"}' };

/** A repository on branch `work` with the plan `plans/shop`, and a scripted agent for each phase. */
export function planRepository(
  phases: TestPhase[],
  env: Record<string, string> = {},
  cwd = freshFolder('shop'),
): PlanRepository {
  const scenarios = join(cwd, '..', 'scenarios');
  mkdirSync(scenarios, { recursive: true });
  planFolder(cwd, 'shop', phases);
  for (const phase of phases) {
    const plain = { counts: 'session', invocations: [{ steps: [...(phase.steps ?? []), DONE] }] };
    writeFileSync(join(scenarios, `${phase.id}.json`), JSON.stringify(phase.scenario ?? plain));
  }
  initRepository(cwd, 'work', true);
  commit(cwd, 'A plan');
  const at = {
    cwd,
    limitMs: 240_000,
    env: { FERMATA_HOME: join(cwd, '..', 'home'), FAKE_CLAUDE_CONFIG: scenarios, ...env },
  };
  return {
    cwd,
    at,
    run: (...args) => fermata(['run', 'plans/shop', '--agent', 'scripted', ...args], at),
    inbox: () => openQuestions(at),
    git: (...args) => sh(cwd, ...args),
  };
}

/** The files of a plan, in `plans/<name>`. */
export function planFolder(cwd: string, name: string, phases: TestPhase[]): void {
  const folder = join(cwd, 'plans', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'MASTER_PLAN.md'), master(phases));
  for (const phase of phases) writeFileSync(join(folder, `phase-${phase.id}.md`), phaseFile(phase));
}

function master(phases: TestPhase[]): string {
  const rows = phases.map(
    ({ id }) => `| ${id} | [Part ${id}](phase-${id}.md) | Part ${id} | Low | Pending |`,
  );
  return `# Shop - Master Plan\n\n## Phases\n\n| Phase | Title | Focus | Risk | Status |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
}

function phaseFile({ id, dependsOn = [], gate = 'test -d .', front }: TestPhase): string {
  const needs = dependsOn.map((each) => `Phase ${each}`).join(', ') || 'N/A';
  return `${front ? `---\n${front}\n---\n\n` : ''}# Phase ${id}: Part ${id}

**Status:** Pending
**Depends On:** ${needs}

## Process Wrapper

- [ ] Write notes to \`notes/NOTES_${id}.md\`

## Gates

- check: \`${gate}\` (AC-1)

## Tasks

- [ ] Do part ${id} (AC-1)

## Acceptance Criteria

- AC-1: Part ${id} is there.
`;
}
