import { basename, extname, join, resolve } from 'node:path';
import { shortHash } from '../../ledger/tasks/short-hash.ts';
import { findLost, type Lost, lostIssue } from '../../plan/convert/fidelity/lost.ts';
import { conversionPrompt, previousIssuesSection } from '../../plan/convert/prompt.ts';
import { hasEntries, refuseUnusableFolder, slug } from '../../plan/plan-folder.ts';
import {
  masterTemplate,
  type OwnTemplates,
  phaseTemplates,
  readOwnTemplates,
} from '../../plan/templates/templates.ts';
import { finishMove } from '../../plan/write-plan-folder.ts';
import type { HilConfig } from '../../schema/autonomy.ts';
import { FermataError } from '../../schema/error.ts';
import { type AgentOptions, agentOptions, chooseAgent } from '../agent/choose-agent.ts';
import type { Context } from '../context.ts';
import { attendTask } from '../run/attend-task.ts';
import { readHistory } from '../run/history.ts';
import { nextStep } from '../run/next-step.ts';
import { templateContents } from '../trust/gather.ts';
import { requireAgentTrust, type TrustOptions } from '../trust/require-trust.ts';
import { planTaskName } from '../worker/task-names.ts';
import { storedPath } from '../worker/worker-path.ts';
import type { Begun } from './begun.ts';
import { closePlan, type WrittenPlan, writePlan } from './write-plan.ts';

/** A free-form plan. */
export interface Source {
  /** Its name in messages. */
  name: string;
  text: string;
  /** The default name of the plan's folder (default: like the source). */
  planName?: string;
}

export interface ConvertOptions extends TrustOptions, Partial<AgentOptions> {
  /** The plan's folder (default: one in `plans/`). */
  output?: string;
  /** Whether to replace an existing plan, which is kept as a backup. */
  replace?: boolean;
  /** Whether to reject a plan that lost something from its source. */
  requireFidelity?: boolean;
  maxAttempts?: number;
  /** How long one attempt may take. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface Converted extends WrittenPlan {
  /** What the last plan lost from its source. */
  lost: Lost[];
  /** How long the last attempt took. */
  lastAttemptMs: number;
}

const defaults = { agent: 'claude', maxAttempts: 3, timeoutMs: 120_000 } as const;

/**
 * Has an agent turn a free-form plan into a plan of phases that passes the audit. Called again with the same source and
 * options after a crash, it resumes.
 *
 * @example const { result, output } = await convert(context, { name: 'roadmap.md', text }, { agent: 'codex' });
 */
export async function convert(
  context: Context,
  source: Source,
  options: ConvertOptions = {},
): Promise<Converted> {
  return (await beginConvert(context, source, options)).carryOut();
}

/** Everything before the agent starts. */
export async function beginConvert(
  context: Context,
  source: Source,
  options: ConvertOptions,
): Promise<Begun<Converted>> {
  const { ledger, settings, cwd } = context;
  const { requireFidelity, replace = false } = options;
  const { maxAttempts = defaults.maxAttempts, timeoutMs = defaults.timeoutMs } = options;
  const planName = planNameOf(source);
  const { root } = settings.project.value;
  const output = resolve(cwd, options.output ?? join(root, 'plans', planName));
  finishMove(output);
  const isInTheWay = !replace && hasEntries(output);
  if (!isInTheWay) refuseUnusableFolder(output, replace);
  const { id: projectId } = await context.project();
  const own = readOwnTemplates(root, 'convert');
  const hilConfig = await ledger.projects.hilConfig(projectId);
  const prompt = (previousIssues: string) => promptFor(source, own, hilConfig, previousIssues);
  const agent = withUsualModel(agentOptions({ ...options, agent: options.agent ?? defaults.agent }));
  const name = planTaskName('convert', basename(output));
  const input = {
    plan: storedPath(context, output),
    text: source.text.trim(),
    replace,
    requireFidelity,
    maxAttempts,
  };
  const { plan, text } = input;
  const about = shortHash('convert', plan, text, agent, maxAttempts, requireFidelity ?? false);
  const sourceId = `${planName}-${about}`;
  const work = { for: 'answer' as const, about };
  const asker = { projectId, taskId: name.id, source: 'plan' as const, sourceId, work };
  // An existing plan may come from a process that was killed before it could report it.
  const history = await readHistory(ledger, asker);
  if (isInTheWay && nextStep(history, { asksPeople: false }).kind !== 'judge') {
    const message = `${output} is not empty. Choose another folder with --output, or replace the plan in it with --force (a backup is kept).`;
    throw new FermataError('invalid', message);
  }
  const { driver, setup } = await chooseAgent(context, agent, { cwd, mustAsk: false, timeoutMs });
  await requireAgentTrust(context, cwd, options, templateContents(own));
  const perform = async (signal: AbortSignal) => {
    let lost: Lost[] = [];
    let began = performance.now();
    const written = await writePlan(context, {
      ...{ ...asker, output, replace, driver, setup, signal },
      maxAttempts,
      questions: 'nobody',
      doing: `${agent.agent} converts ${source.name}`,
      attempts: join(settings.home.value, 'projects', projectId, 'attempts', sourceId),
      prompt: (previous) => prompt(previousIssuesSection(previous)),
      check: (files) => {
        lost = findLost(source.text, files.map(({ content }) => content).join('\n'));
        return requireFidelity ? lost.map((each) => lostIssue(each, source.name)) : [];
      },
      onAttempt: () => {
        lost = [];
        began = performance.now();
      },
    });
    if (written.outcome.kind === 'passed') await closePlan(context, written.outcome.run);
    return { ...written, lost, lastAttemptMs: Math.round(performance.now() - began) };
  };
  return {
    carryOut: () => attendTask(context, { name, work: { kind: 'convert', input } }, options.signal, perform),
  };
}

export const planNameOf = ({ name, planName = slug(basename(name, extname(name))) }: Source) => planName;

function withUsualModel(agent: AgentOptions): AgentOptions {
  const model = agent.model ?? (/^claude\b/.test(agent.agent) ? 'haiku' : undefined);
  return model === undefined ? agent : { ...agent, model };
}

function promptFor(source: Source, own: OwnTemplates, hilConfig: HilConfig, previousIssues: string): string {
  const parts = {
    source_content: source.text.trim(),
    master_template: (own.master?.text ?? masterTemplate).trim(),
    phase_template: (own.phase?.text ?? phaseTemplates.generic).trim(),
    previous_issues_section: previousIssues,
  };
  return conversionPrompt(parts, hilConfig, own.prompt?.text);
}
