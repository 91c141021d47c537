import { askOnce } from '../../agents/ask-once.ts';
import type { RunEnd } from '../../agents/driver.ts';
import { readsInside } from '../../agents/reads-inside.ts';
import type { Settings } from '../../config/settings.ts';
import { redactor } from '../../ledger/redact.ts';
import { type Attempted, attemptPlan } from '../../planning/convert/attempt-plan.ts';
import { conversionPrompt } from '../../planning/convert/conversion-prompt.ts';
import { findLost, type Lost, lostIssue } from '../../planning/convert/fidelity/lost.ts';
import { previousIssuesSection } from '../../planning/convert/previous-issues.ts';
import { hasEntries, refuseUnusableFolder } from '../../planning/plan-folder.ts';
import { masterTemplate } from '../../planning/templates/master-template.ts';
import { phaseTemplates } from '../../planning/templates/phase-templates.ts';
import { finishMove } from '../../planning/write-plan-folder.ts';
import { FermataError } from '../../schema/error.ts';
import { chooseAgent } from '../agents/choose.ts';
import { attemptLine } from '../attempt-view.ts';
import type { ConvertOptions } from '../commands/convert.ts';
import { tell } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { withSession } from '../session.ts';
import { reportConvert } from './report.ts';
import { convertResult, type NoAnswer } from './result.ts';
import type { Source } from './source.ts';

export interface Converting {
  source: Source;
  settings: Settings;
  output: string;
  attempts: string;
  timeoutMs: number;
  options: ConvertOptions;
  signal: AbortSignal;
}

/** Asks an agent until a plan passes, and tells what came of it. */
export async function convert(converting: Converting): Promise<void> {
  const { source, output, attempts, options } = converting;
  finishMove(output);
  refuseReplacing(output, options.force ?? false);
  const ask = await asking(converting);
  let lost: Lost[] = [];
  const line = progressLine();
  const attempted: Attempted<NoAnswer> = await attemptPlan<NoAnswer>({
    output,
    replace: options.force ?? false,
    attempts,
    maxIterations: options.maxIterations,
    ask: async ({ number, previous }) => {
      const doing = `Attempt ${number} of ${options.maxIterations}: ${options.agent} converts ${source.name}`;
      if (process.stderr.isTTY) line.show(doing);
      else tell(doing);
      lost = [];
      const began = performance.now();
      const end = await ask(previousIssuesSection(previous));
      if (end.reason === 'ok') return { text: end.text, usage: end.usage };
      line.clear();
      return { stopped: noAnswer(end, converting.signal.aborted, performance.now() - began) };
    },
    check: (files) => {
      lost = findLost(source.text, files.map(({ content }) => content).join('\n'));
      return options.requireFidelity ? lost.map((each) => lostIssue(each, source.name)) : [];
    },
    onJudged: (attempt) => {
      line.clear();
      tell(attemptLine(attempt));
    },
  });
  await reportConvert(convertResult(output, attempted, lost), options);
}

function refuseReplacing(output: string, force: boolean): void {
  if (!force && hasEntries(output)) {
    const message = `${output} is not empty. Name another folder with --output, or replace the plan in it with --force: it is kept as a backup.`;
    throw new FermataError('invalid', message);
  }
  refuseUnusableFolder(output, force);
}

/** What is always the same about an attempt: the agent, the source, the templates. */
async function asking(converting: Converting): Promise<(previousIssues: string) => Promise<RunEnd>> {
  const { source, settings, timeoutMs, options, signal } = converting;
  const cwd = process.cwd();
  const model = options.model ?? (/^claude\b/.test(options.agent) ? 'haiku' : undefined);
  const { driver, setup } = await chooseAgent(
    { settings },
    { ...options, ...(model ? { model } : {}) },
    { cwd, mustAsk: false, timeoutMs },
  );
  const hilConfig = await withSession(options, async ({ ledger, project }) =>
    ledger.projects.hilConfig((await project()).id),
  );
  const redact = redactor(process.env);
  return async (previousIssues) => {
    const parts = {
      source_content: source.text.trim(),
      master_template: masterTemplate.trim(),
      phase_template: phaseTemplates.generic.trim(),
      previous_issues_section: previousIssues,
    };
    const prompt = conversionPrompt(parts, hilConfig);
    const allows = (tool: string, input: unknown) => readsInside(cwd, tool, input);
    const end = await askOnce({ driver, setup, prompt, allows, signal });
    return { ...end, message: redact(end.message) };
  };
}

function noAnswer(end: RunEnd, interrupted: boolean, durationMs: number): NoAnswer {
  const told = { durationMs: Math.round(durationMs), usage: end.usage };
  if (interrupted)
    return { code: 'interrupted', message: 'Interrupted. The output folder is as it was.', ...told };
  return { code: end.reason, message: end.message, ...told };
}
