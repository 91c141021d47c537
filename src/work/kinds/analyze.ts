import { join } from 'node:path';
import { type AgentDriver, addUsage, noUsage, type Usage } from '../../agents/driver.ts';
import { isInside, isReadWithin } from '../../agents/is-read-within.ts';
import { PROMPTS_FOLDER } from '../../agents/roles/prompt.ts';
import type { RunOptions } from '../../agents/run/run-options.ts';
import type { Settings } from '../../config/settings.ts';
import { readOwnFile, readSmall } from '../../files/read-bounded.ts';
import { analystPrompt, batchesOf, readHash, type ToJudge } from '../../issues/analyst/prompt.ts';
import { readJudgement } from '../../issues/analyst/read-judgement.ts';
import { isSecretFile, SECRET_FILES } from '../../issues/analyst/secret-files.ts';
import { analyzeChecked } from '../../issues/gaps/analyze.ts';
import { describeStack, type Stack } from '../../issues/repository/stack.ts';
import { crashPoint } from '../../ledger/crash-point.ts';
import { isRecord } from '../../ledger/forms/record.ts';
import { shortHash } from '../../ledger/tasks/short-hash.ts';
import type { Config } from '../../schema/config.ts';
import { counted } from '../../schema/counted.ts';
import { FermataError } from '../../schema/error.ts';
import type { JudgedIssue } from '../../schema/judgement.ts';
import type { PlanRunResult } from '../../schema/plan-run.ts';
import { type AgentOptions, chooseAgent, requireAgent } from '../agent/choose-agent.ts';
import { type Concern, type Context, holding } from '../context.ts';
import { holdTask } from '../run/attend-task.ts';
import { repairPrompt } from '../run/brief-sections.ts';
import { acceptAnswer, type Performed, perform, type Verdict } from '../run/perform.ts';
import { promptFile } from '../trust/gather.ts';
import type { RepositoryContent } from '../trust/repository-content.ts';
import { requireAgentTrust, type TrustOptions } from '../trust/require-trust.ts';
import { analysisName } from '../worker/task-names.ts';
import { askerOf } from './plan-from-issues/gather.ts';
import type { SourcedIssues } from './plan-from-issues/read-issues.ts';

export interface AnalyzeOptions {
  agent: Awaited<ReturnType<typeof chooseAgent>>;
  stack: Stack;
  signal: AbortSignal | undefined;
}

/** How long the Analyst may take for one batch. */
const ANALYST_MS = 5 * 60_000;

/** How often an unreadable answer is sent back. */
const REPAIRS = 1;

/** Where a project keeps its own prompt of the Analyst that judges issues. */
const OWN_PROMPT = `${PROMPTS_FOLDER}/analyze.md`;

const ownPrompt = (root: string) => readOwnFile(root, OWN_PROMPT);

/** The project's own prompt, which a person has to trust. */
export function analystContents(root: string): RepositoryContent[] {
  const own = ownPrompt(root);
  return own ? [promptFile('analyze', own.path, own.text)] : [];
}

/** Who judges, as configured. The scripted agent has no model. */
export const analysisMode = (
  { config }: Settings,
  { name }: Pick<AgentDriver, 'name'>,
): NonNullable<Config['analysis']> => config.analysis ?? (name === 'scripted' ? 'rules' : 'agent');

/** The same with an agent that a person names, after everything that could refuse it. */
export async function analyzeWith(
  context: Context,
  source: SourcedIssues,
  wanted: AgentOptions,
  { stack, signal, ...trust }: TrustOptions & Omit<AnalyzeOptions, 'agent'>,
): Promise<Map<number, JudgedIssue>> {
  const agent = await chooseAgent(context, wanted, { cwd: context.cwd, mustAsk: false });
  await requireAgent(agent.driver, agent.setup);
  await requireAgentTrust(context, context.cwd, trust, analystContents(context.settings.project.value.root));
  return analyze(context, source, { agent, stack, signal });
}

/**
 * Has the Analyst judge the issues that it has not judged as they are now. Whatever goes wrong, the rules' result stands for the
 * rest, and one sentence says so. Killed and called again, it continues.
 */
export async function analyze(
  context: Context,
  source: SourcedIssues,
  options: AnalyzeOptions,
): Promise<Map<number, JudgedIssue>> {
  const { ledger, settings, who, report } = context;
  const { driver } = options.agent;
  const { id: projectId } = await context.project();
  const own = ownPrompt(settings.project.value.root)?.text;
  const { issues } = source;
  const from = askerOf(source, settings.project.value.root);
  const name = analysisName(from);
  const kept = (await ledger.tasks.resultOf(projectId, name.id, 'analyze'))?.issues ?? [];
  const judged = new Map<number, JudgedIssue>();
  const { issues: reports } = analyzeChecked(issues, { stack: options.stack });
  const left = issues.flatMap((issue, index): Unjudged[] => {
    const hash = readHash(issue, own);
    const before = kept.find((each) => each.hash === hash);
    if (before) judged.set(issue.number, before);
    return before ? [] : [{ issue, hash, found: reports[index]?.gaps ?? [] }];
  });
  // A process that was killed may have judged all and not ended the task.
  const task = await ledger.tasks.find(projectId, name.id);
  if (left.length === 0 && (task === undefined || task.status === 'closed')) return judged;
  const work = { kind: 'analyze' as const, input: { from } };
  const { id: taskId } = await ledger.tasks.submit({ projectId, ...name }, work, who);
  const known = {
    own,
    repository: describeStack(options.stack),
    decisions: await decisionsOf(context, projectId),
  };
  const began = performance.now();
  let usage = noUsage;
  const judgeAll = async (signal: AbortSignal): Promise<Came> => {
    for (const batch of batchesOf(left)) {
      const performed = await judgeBatch(
        context,
        { projectId, taskId, batch, known },
        { ...options, signal },
      );
      if (performed.kind !== 'ended') return cameOf(performed, signal);
      for (const each of performed.result) judged.set(each.number, each);
      const all = new Map([...kept, ...judged.values()].map((each) => [each.number, each]));
      await ledger.tasks.keepResult(projectId, taskId, 'analyze', {
        issues: [...all.values()].slice(-MOST_KEPT),
      });
      crashPoint('analysis.kept');
      await acceptAnswer(ledger, performed.run);
      usage = addUsage(usage, performed.run.end?.usage ?? noUsage);
    }
    return { result: 'done' };
  };
  report({ kind: 'progress', text: `${driver.name} reads ${counted(left.length, 'issue')} …` });
  // It has a lease of its own also where a worker holds the plan that it is for.
  const came = await holdTask(
    { ...context, held: undefined },
    taskId,
    options.signal,
    judgeAll,
    (each) => each,
  ).catch((error: unknown): Came => {
    if (!(error instanceof FermataError)) throw error;
    return { result: 'failed', problem: error.message };
  });
  const done = left.filter(({ issue }) => judged.has(issue.number)).length;
  if (done > 0) {
    const seconds = Math.round((performance.now() - began) / 1000);
    report({
      kind: 'notice',
      text: `${driver.name} judged ${counted(done, 'issue')} in ${seconds} s (${usageText(usage)}).`,
    });
  }
  if (came.problem !== undefined) {
    const text = `${driver.name} did not judge ${counted(left.length - done, 'issue')}: ${came.problem} The rules alone decide what is asked about them.`;
    report({ kind: 'notice', text });
  }
  return judged;
}

interface Unjudged extends ToJudge {
  hash: string;
}

interface Came {
  result: PlanRunResult;
  problem?: string;
}

/** More than any project has open at once. */
const MOST_KEPT = 2000;

interface Batch {
  projectId: string;
  taskId: string;
  batch: Unjudged[];
  known: Omit<Parameters<typeof analystPrompt>[0], 'batch'>;
}

async function judgeBatch(
  context: Context,
  { projectId, taskId, batch, known }: Batch,
  { agent: { driver, setup }, signal }: AnalyzeOptions,
): Promise<Performed<JudgedIssue[]>> {
  const { ledger, ask = {}, held, report } = context;
  const { cwd } = setup;
  const runs = new Set<string>();
  const concern: Concern = {
    projectId,
    task: taskId,
    concerns: ({ resume }) => resume?.run !== undefined && runs.has(resume.run),
  };
  const notice = (text: string) => report({ kind: 'notice', text });
  const conducting: RunOptions = {
    ...{ ledger, driver, signal, ...holding(held) },
    setup: { ...setup, timeoutMs: ANALYST_MS, hides: SECRET_FILES },
    allows: (tool, input) => isReadWithin(cwd, tool, input) && !readsSecret(input),
    onRun: ({ id }) => {
      runs.add(id);
    },
    onEvent: (event) => report({ kind: 'activity', event }),
    onRetry: notice,
  };
  const about = shortHash(
    'analysis',
    driver.name,
    batch.map(({ hash }) => hash),
  );
  const work = { for: 'answer' as const, about };
  const waits = held !== undefined || ((await ask.stays?.(concern)) ?? false);
  const judgeAll = () =>
    perform<JudgedIssue[]>({
      asker: { projectId, taskId, source: 'eval', sourceId: taskId, work },
      conducting,
      limits: { rounds: { fix: REPAIRS } },
      whenAsked: waits ? 'wait' : 'return',
      brief: ({ sentBack }) => ({
        prompt: repairPrompt(analystPrompt({ ...known, batch }), sentBack.at(-1)),
        work,
      }),
      judge: ({ text }) => verdictOn(readJudgement(text, batch, readerOf(cwd))),
    });
  return ask.during ? ask.during(concern, judgeAll) : judgeAll();
}

function verdictOn(answer: ReturnType<typeof readJudgement>): Verdict<JudgedIssue[]> {
  switch (answer.kind) {
    case 'answer':
      return { kind: 'ended', result: answer.value };
    case 'questions':
      return { kind: 'ask', questions: answer.questions };
    case 'unreadable':
      return { kind: 'send_back', purpose: 'fix', findings: answer.reason };
    default: {
      const never: never = answer;
      return never;
    }
  }
}

/** Why a batch has no judgement. */
function cameOf(performed: Exclude<Performed<unknown>, { kind: 'ended' }>, signal: AbortSignal): Came {
  if (signal.aborted) return { result: 'interrupted' };
  switch (performed.kind) {
    case 'given_up':
      return {
        result: 'failed',
        problem: `Its answer cannot be read. ${performed.sentBack.at(-1)?.findings ?? ''}`,
      };
    case 'stopped':
      return { result: 'failed', problem: performed.end.message };
    case 'waiting':
      return {
        result: 'waiting',
        problem: `It waits for an answer to ${performed.open[0]?.id ?? 'a question'}.`,
      };
    default: {
      const never: never = performed;
      return never;
    }
  }
}

const readsSecret = (input: unknown) =>
  isRecord(input) && Object.values(input).some((value) => typeof value === 'string' && isSecretFile(value));

/** Reads files of the repository, to look for what the Analyst quotes. */
const readerOf = (cwd: string) => (path: string) => {
  const named = path.replace(/:\d+(?:[-:]\d+)*$/, '');
  return isInside(cwd, named) && !isSecretFile(named) ? readSmall(join(cwd, named)) : undefined;
};

const MOST_DECISIONS = 50;

async function decisionsOf({ ledger }: Context, projectId: string): Promise<string[]> {
  const decisions = await ledger.decisions.current(projectId, MOST_DECISIONS);
  return decisions.map(({ question, answer }) => `${question} → ${[answer].flat().join(', ')}`);
}

const usageText = ({ inputTokens, outputTokens, costUsd }: Usage) =>
  [
    `${inputTokens} tokens in, ${outputTokens} out`,
    ...(costUsd === undefined ? [] : [`$${costUsd.toFixed(2)}`]),
  ].join(', ');
