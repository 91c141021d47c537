import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings } from '../../config/settings.ts';
import { commitAll } from '../../git/commit.ts';
import { type Ledger, openLedger } from '../../ledger/ledger.ts';
import { FermataError } from '../../schema/error.ts';
import type { Question } from '../../schema/question.ts';
import type { AgentOptions } from '../../work/agent/choose-agent.ts';
import { allDecisions } from '../all-decisions.ts';
import { currentActor } from '../command-context.ts';
import { runOwn } from './own-command.ts';
import { playPerson, type ScriptedAnswers, scriptedAnswer } from './scripted-person.ts';
import type { DemoStage } from './stage.ts';
import { type DemoIssue, demoPhases, writeScenarios } from './story.ts';
import { type DemoSummary, summarize } from './summary.ts';
import { heading, introduction } from './words.ts';

export interface DemoOptions {
  headless: boolean;
  agent: AgentOptions;
  /** Where and how to answer the questions, in a few lines. */
  answering: string[];
  issues: readonly DemoIssue[];
  answers: ScriptedAnswers;
  signal: AbortSignal;
  say(line: string): void;
}

export interface DemoResult extends DemoSummary {
  folder: string;
  branch: string;
  round: number;
  tests_passed: boolean;
}

/** The whole workflow on a sample project, with our own commands. Skips steps that are already done. */
export async function playDemo(stage: DemoStage, options: DemoOptions): Promise<DemoResult> {
  const { issues, agent, say } = options;
  if (agent.agent === 'scripted') writeScenarios(stage.scenarios, demoPhases(issues, stage.plan));
  say(introduction(stage, issues.length, agent.agent, options.answering));
  const { store, project } = settingsOf(stage);
  const ledger = await openLedger(store);
  try {
    await ledger.projects.ensure(project);
    const { lastEvent } = await ledger.projects.get(project.id);
    await makePlan(stage, options);
    await runPlan(stage, options, ledger, project.id);
    const events = await ledger.events.list(project.id, stage.round === 1 ? 0 : lastEvent, 100_000);
    const summary = summarize(events, await allDecisions(ledger, project.id));
    const { folder, branch, round } = stage;
    return { folder, branch, round, tests_passed: await testsPass(stage), ...summary };
  } finally {
    await ledger.close();
  }
}

async function makePlan(stage: DemoStage, options: DemoOptions): Promise<void> {
  const { headless, agent, signal, say } = options;
  if (existsSync(join(stage.repository, stage.plan, 'MASTER_PLAN.md'))) return;
  say(heading('1 · Questions and plan'));
  const args = ['plan-from-issues', '--from-dir', 'issues', '--max-questions', '3', '--again'];
  const answered = headless ? ['--answers-file', await answersFile(stage, options)] : [];
  const { code } = await runOwn(stage, {
    args: [...args, ...agentArguments(agent), '--output', stage.plan, ...answered],
    stdio: headless ? ['ignore', 'ignore', 'inherit'] : 'inherit',
    signal,
  });
  requireDone(code, 'The plan was not written', signal);
  await commitAll(stage.repository, `A plan for ${stage.branch}`);
}

/** First pass: finds the questions. The script's answers are the input of the second pass. */
async function answersFile(stage: DemoStage, { answers, signal }: DemoOptions): Promise<string> {
  const { stdout } = await runOwn(stage, {
    args: ['plan-from-issues', '--from-dir', 'issues', '--again', '--questions-only'],
    stdio: ['ignore', 'pipe', 'ignore'],
    signal,
  });
  const { questions } = JSON.parse(stdout) as { questions: AskedFirst[] };
  const given = questions.map(({ id, question, options, recommended }) => {
    const labels = options.map((label) => ({ label }));
    return {
      id,
      answer: scriptedAnswer({ id, text: question, options: labels, recommended }, answers) ?? 'skip',
    };
  });
  const file = join(stage.folder, `answers-${stage.round}.json`);
  writeFileSync(file, JSON.stringify({ answers: given }, null, 2));
  return file;
}

interface AskedFirst {
  id: string;
  question: string;
  options: string[];
  recommended?: Question['recommended'];
}

async function runPlan(
  stage: DemoStage,
  options: DemoOptions,
  ledger: Ledger,
  projectId: string,
): Promise<void> {
  const { headless, agent, answers, signal, say } = options;
  say(heading('2 · Work'));
  const over = new AbortController();
  const person = { by: { actor: currentActor(), channel: 'command' as const }, answers, say };
  const failed = new AbortController();
  const played = headless
    ? playPerson(ledger, projectId, person, AbortSignal.any([over.signal, signal])).catch((error: unknown) =>
        failed.abort(error),
      )
    : undefined;
  try {
    const { code } = await runOwn(stage, {
      args: [
        ...['run', stage.plan, '--parallel', '3', '--wait', '--no-review', '--feature', stage.branch],
        ...agentArguments(agent),
      ],
      // The summary replaces the run's own final report.
      stdio: [headless ? 'ignore' : 'inherit', 'ignore', 'inherit'],
      signal: AbortSignal.any([signal, failed.signal]),
    });
    failed.signal.throwIfAborted();
    requireDone(code, 'Not all phases were done', signal);
    await commitAll(stage.repository, `${stage.branch}: done`);
  } finally {
    over.abort();
    await played;
  }
}

const agentArguments = ({ agent, agentCommand, model }: AgentOptions) => [
  ...['--agent', agent],
  ...(agentCommand ? ['--agent-command', agentCommand] : []),
  ...(model ? ['--model', model] : []),
];

function requireDone(code: number | null, what: string, signal: AbortSignal): void {
  if (code === 0) return;
  if (signal.aborted || code === 130) throw new DOMException('Interrupted.', 'AbortError');
  throw new FermataError('conflict', `${what} (exit code ${code}). Run the demo again to continue.`);
}

function testsPass({ repository }: DemoStage): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--test'], { cwd: repository }, (error) => resolve(error === null));
  });
}

function settingsOf({ repository, env }: DemoStage) {
  const { store, project } = loadSettings(repository, env, {});
  const { id, name, root } = project.value;
  return { store: store.value, project: { id, name, root } };
}
