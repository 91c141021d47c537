import { basename, join } from 'node:path';
import type { AgentDriver, AgentSetup } from '../../agents/driver.ts';
import { isReadWithin } from '../../agents/is-read-within.ts';
import type { RunOptions } from '../../agents/run/run-options.ts';
import { toolSummary } from '../../agents/stream/tool-summary.ts';
import type { AgentOptions } from '../../app/choose-agent.ts';
import { assignmentKey } from '../../assignments/key.ts';
import { type PlanOutcome, writePlan as writeAuditedPlan } from '../../assignments/write-plan.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { previousIssuesSection } from '../../plan/convert/previous-issues.ts';
import { completeMaster } from '../../plan/from-issues/complete-master.ts';
import { planFromIssuesPrompt } from '../../plan/from-issues/prompt.ts';
import type { ResolvedQuestion } from '../../plan/from-issues/resolved-question.ts';
import type { OwnTemplates } from '../../plan/templates/own-templates.ts';
import type { HilConfig } from '../../schema/autonomy.ts';
import { attemptLine } from '../attempt-view.ts';
import { tell } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import type { Gathered } from './gather.ts';

interface WritingPlace {
  ledger: Ledger;
  projectId: string;
  output: string;
  attempts: string;
  hilConfig: HilConfig;
  own: OwnTemplates;
  maxIterations: number;
}

interface Writer {
  driver: AgentDriver;
  setup: AgentSetup;
  options: AgentOptions;
}

/**
 * Lets the agent write the plan, as often as it takes to pass the audit, within bounds. It asks nobody any more. The same
 * issues with the same answers are the same assignment, whichever process carries it out.
 */
export async function writePlan(
  gathered: Gathered,
  resolved: ResolvedQuestion[],
  place: WritingPlace,
  { driver, setup, options }: Writer,
  signal: AbortSignal,
): Promise<PlanOutcome> {
  const { ledger, projectId, output, attempts, maxIterations } = place;
  const line = progressLine();
  const requestFor = (known: ResolvedQuestion[]) =>
    planFromIssuesPrompt({ ...gathered, ...place, resolved: known });
  const key = assignmentKey(requestFor(comparable(resolved)), output, setup.cwd, options, maxIterations);
  const request = requestFor(resolved);
  let doing = '';
  const conducting: RunOptions = {
    ledger,
    driver,
    setup,
    questions: 'nobody',
    allows: (tool, input) => isReadWithin(setup.cwd, tool, input),
    onEvent: (event) => {
      if (event.kind === 'tool') line.show(`${doing}: ${toolSummary(event.name, event.input)}`);
    },
    onRetry: tell,
    signal,
  };
  return writeAuditedPlan(conducting, {
    projectId,
    sourceId: `${gathered.name}-${key}`,
    mark: { command: 'plan-from-issues', about: key },
    output,
    replace: true,
    attempts: join(attempts, basename(output)),
    maxAttempts: maxIterations,
    prompt: (previous) => [request, previousIssuesSection(previous)].filter(Boolean).join('\n\n'),
    edit: (files) => completeMaster(files, { ...gathered, resolved }),
    onResume: (number) => tell(`Resuming at attempt ${number} of ${maxIterations}.`),
    onAttempt: (number) => {
      doing = `Attempt ${number} of ${maxIterations}: ${driver.name} is writing the plan`;
      if (process.stderr.isTTY) line.show(`${doing} …`);
      else tell(doing);
    },
    onJudged: (attempt) => {
      line.clear();
      tell(attemptLine(attempt));
    },
  }).finally(line.clear);
}

/**
 * The same whether an answer was given now or before: a process that was killed after it had told some of the askers finds
 * their answers as earlier decisions.
 */
function comparable(resolved: ResolvedQuestion[]): ResolvedQuestion[] {
  return resolved
    .map(({ question, resolution }): ResolvedQuestion => {
      if (resolution.kind !== 'answered') return { question, resolution };
      const { note: _, ...answered } = resolution;
      return { question, resolution: answered };
    })
    .sort((a, b) => (a.question.id < b.question.id ? -1 : 1));
}
