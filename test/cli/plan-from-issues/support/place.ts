import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { analyzeIssues, auditPlan, type Ledger, openLedger } from '../../../../src/index.ts';
import { issuesFromFolder } from '../../../../src/issues/issue-folder.ts';
import { detectStack } from '../../../../src/issues/repository/stack.ts';
import { gatherSurroundings } from '../../../../src/plan/audit/gather-surroundings.ts';
import { readPlan } from '../../../../src/plan/grammar/read-plan.ts';
import type { Notification } from '../../../../src/schema/notification.ts';
import { ScenarioBuilder } from '../../../../src/testing.ts';
import { fermata, freshFolder, type Result } from '../../../support/fermata.ts';

export const EXAMPLES = join(import.meta.dirname, '../../../../examples');
const scenario = JSON.parse(readFileSync(join(EXAMPLES, 'library-agent.json'), 'utf8'));
/** What the scripted agent of the examples answers: a plan that passes the audit. */
export const PLAN: string = scenario.invocations[0].steps[0].text;
/** A case starts several programs one after the other. */
export const LONG = 60_000;
/** How many questions the sample issues lead to. */
export const QUESTIONS = 7;

/** A project with the sample issues and its own ledger, and an agent that writes their plan. */
export function library(agent = new ScenarioBuilder().forEachSession().respondsWithText(PLAN)) {
  const cwd = freshFolder('library');
  cpSync(join(EXAMPLES, 'issues'), join(cwd, 'issues'), { recursive: true });
  const handle = agent.build();
  onTestFinished(() => handle.remove());
  const home = join(cwd, '..', 'home');
  const env: Record<string, string> = { FERMATA_HOME: home, ...handle.env };
  const command = ['plan-from-issues', '--from-dir', 'issues', '--agent', 'scripted'];
  async function inLedger<T>(work: (ledger: Ledger) => Promise<T>): Promise<T> {
    const ledger = await openLedger(join(home, 'ledger.db'));
    try {
      return await work(ledger);
    } finally {
      await ledger.close();
    }
  }
  return {
    cwd,
    env,
    command,
    run: (...args: string[]): Promise<Result> => fermata([...command, ...args], { cwd, env }),
    fermata: (...args: string[]): Promise<Result> => fermata(args, { cwd, env }),
    inbox: (): Promise<Notification[]> =>
      inLedger(async (ledger) => (await ledger.notifications.list()).notifications),
    /** What the sample issues lead to, most important first. */
    questions: () =>
      analyzeIssues(issuesFromFolder(join(cwd, 'issues')), { stack: detectStack(cwd), maxQuestions: 1000 })
        .questions,
    /** The errors that the audit finds in the plan. */
    auditErrors(plan = 'issues'): string[] {
      const folder = join(cwd, 'plans', plan);
      const read = readPlan(folder).plan;
      const { issues } = auditPlan(read, gatherSurroundings(folder, read));
      return issues.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    },
    /** A file of the plan. */
    read: (file = 'MASTER_PLAN.md', plan = 'issues') => readFileSync(join(cwd, 'plans', plan, file), 'utf8'),
    plans: () => readdirSync(join(cwd, 'plans')).filter((name) => !name.startsWith('.')),
    /** The prompts of the agent, one per attempt. */
    prompts: () => handle.invocations().map(({ prompt }) => prompt ?? ''),
    inLedger,
  };
}

export type Library = ReturnType<typeof library>;
