import { join, resolve } from 'node:path';
import { isReadWithin } from '../../agents/is-read-within.ts';
import type { RunOptions } from '../../agents/run/run-options.ts';
import { type AgentOptions, agentOptions, chooseAgent } from '../../app/choose-agent.ts';
import { closeAssignment } from '../../assignments/execute.ts';
import { assignmentKey } from '../../assignments/key.ts';
import { nextStep } from '../../assignments/next-step.ts';
import { readPast } from '../../assignments/past.ts';
import { writePlan } from '../../assignments/write-plan.ts';
import { loadSettings } from '../../config/settings.ts';
import { conversionPrompt } from '../../plan/convert/conversion-prompt.ts';
import { findLost, type Lost, lostIssue } from '../../plan/convert/fidelity/lost.ts';
import { previousIssuesSection } from '../../plan/convert/previous-issues.ts';
import { hasEntries, refuseUnusableFolder } from '../../plan/plan-folder.ts';
import { masterTemplate } from '../../plan/templates/master-template.ts';
import { type OwnTemplates, readOwnTemplates } from '../../plan/templates/own-templates.ts';
import { phaseTemplates } from '../../plan/templates/phase-templates.ts';
import { finishMove } from '../../plan/write-plan-folder.ts';
import type { HilConfig } from '../../schema/autonomy.ts';
import { FermataError } from '../../schema/error.ts';
import { broughtTemplates } from '../../work/trust/gather.ts';
import { attemptLine } from '../attempt-view.ts';
import { type CommandContext, withCommandContext } from '../command-context.ts';
import { tell } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { requireAgentTrust } from '../trust/agent-trust.ts';
import type { ConvertOptions } from './convert-options.ts';
import { reportConvert } from './report.ts';
import { convertResult } from './result.ts';
import type { Source } from './source.ts';

export interface Converting {
  source: Source;
  timeoutMs: number;
  options: ConvertOptions;
  signal: AbortSignal;
}

/** Lets an agent rewrite a text until it is a plan that passes, and tells what came of it. The same command resumes it. */
export async function convert(converting: Converting): Promise<void> {
  const { source, options } = converting;
  const { root } = loadSettings(process.cwd(), process.env, options).project.value;
  const output = resolve(options.output ?? join(root, 'plans', source.planName));
  finishMove(output);
  if (!isRefused(output, options)) refuseUnusableFolder(output, options.force);
  await withCommandContext(options, (context) => convertTo(output, context, converting));
}

async function convertTo(
  output: string,
  context: CommandContext,
  { source, timeoutMs, options, signal }: Converting,
): Promise<void> {
  const { ledger, settings } = context;
  const { root } = settings.project.value;
  const { force = false, maxIterations } = options;
  const project = await context.project();
  const own = readOwnTemplates(root, 'convert');
  const hilConfig = await ledger.projects.hilConfig(project.id);
  const prompt = (previousIssues: string) => promptFor(source, own, hilConfig, previousIssues);
  const cwd = process.cwd();
  const agent = withUsualModel(agentOptions(options));
  const key = assignmentKey(prompt(''), output, cwd, agent, maxIterations, options.requireFidelity);
  const sourceId = `${source.planName}-${key}`;
  const asker = {
    projectId: project.id,
    source: 'plan' as const,
    sourceId,
    mark: { command: 'convert', about: key },
  };
  // What is there may be the plan of a process that was killed before it could say so.
  if (isRefused(output, options) && nextStep(await readPast(ledger, asker), false).kind !== 'judge') {
    const message = `${output} is not empty. Choose another folder with --output, or replace the plan in it with --force (a backup is kept).`;
    throw new FermataError('invalid', message);
  }
  const { driver, setup } = await chooseAgent(context, agent, { cwd, mustAsk: false, timeoutMs });
  await requireAgentTrust(context, cwd, options, broughtTemplates(own));
  const conducting: RunOptions = {
    ledger,
    driver,
    setup,
    questions: 'nobody',
    allows: (tool, input) => isReadWithin(cwd, tool, input),
    signal,
    onRetry: tell,
  };
  let lost: Lost[] = [];
  let began = performance.now();
  const line = progressLine();
  const written = await writePlan(conducting, {
    ...asker,
    output,
    replace: force,
    attempts: join(settings.home.value, 'projects', project.id, 'attempts', sourceId),
    maxAttempts: maxIterations,
    prompt: (previous) => prompt(previousIssuesSection(previous)),
    check: (files) => {
      lost = findLost(source.text, files.map(({ content }) => content).join('\n'));
      return options.requireFidelity ? lost.map((each) => lostIssue(each, source.name)) : [];
    },
    onResume: (number) => tell(`Resuming at attempt ${number} of ${maxIterations}.`),
    onAttempt: (number) => {
      const doing = `Attempt ${number} of ${maxIterations}: ${options.agent} converts ${source.name}`;
      if (process.stderr.isTTY) line.show(doing);
      else tell(doing);
      lost = [];
      began = performance.now();
    },
    onJudged: (attempt) => {
      line.clear();
      tell(attemptLine(attempt));
    },
  }).finally(line.clear);
  if (written.kind === 'passed') await closeAssignment(conducting, written.run);
  const stopped = { interrupted: signal.aborted, durationMs: Math.round(performance.now() - began) };
  await reportConvert(convertResult(output, written, lost, stopped), options);
}

const isRefused = (output: string, { force }: ConvertOptions) => !force && hasEntries(output);

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
