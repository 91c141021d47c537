import { basename, join } from 'node:path';
import { askOnce } from '../../agents/ask-once.ts';
import type { AgentDriver, AgentSetup, RunEnd } from '../../agents/driver.ts';
import { readsInside } from '../../agents/reads-inside.ts';
import { toolSummary } from '../../agents/stream/tool-summary.ts';
import { type Attempted, attemptPlan } from '../../planning/convert/attempt-plan.ts';
import { previousIssuesSection } from '../../planning/convert/previous-issues.ts';
import { completeMaster } from '../../planning/from-issues/complete-master.ts';
import { planFromIssuesPrompt } from '../../planning/from-issues/prompt.ts';
import type { ResolvedQuestion } from '../../planning/from-issues/resolved-question.ts';
import type { HilConfig } from '../../schema/autonomy.ts';
import { attemptLine } from '../attempt-view.ts';
import { tell } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import type { Gathered } from './gather.ts';

const MOST_ATTEMPTS = 3;

/** Lets the agent write the plan, as often as it takes to pass the audit, within bounds. It asks nobody any more. */
export async function writePlan(
  gathered: Gathered,
  resolved: ResolvedQuestion[],
  place: { output: string; attempts: string; hilConfig: HilConfig },
  { driver, setup }: { driver: AgentDriver; setup: AgentSetup },
  signal: AbortSignal,
): Promise<Attempted<RunEnd>> {
  const line = progressLine();
  const request = planFromIssuesPrompt({ ...gathered, resolved, hilConfig: place.hilConfig });
  const begin = (doing: string) => (process.stderr.isTTY ? line.show(`${doing} …`) : tell(doing));
  try {
    return await attemptPlan<RunEnd>({
      output: place.output,
      replace: true,
      attempts: join(place.attempts, basename(place.output)),
      maxIterations: MOST_ATTEMPTS,
      edit: (files) => completeMaster(files, { ...gathered, resolved }),
      ask: async ({ number, previous }) => {
        const doing = `Attempt ${number} of ${MOST_ATTEMPTS}: ${driver.name} writes the plan`;
        begin(doing);
        const end = await askOnce({
          driver,
          setup,
          prompt: [request, previousIssuesSection(previous)].filter(Boolean).join('\n\n'),
          allows: (tool, input) => readsInside(setup.cwd, tool, input),
          onEvent: (event) => {
            if (event.kind === 'tool') line.show(`${doing}: ${toolSummary(event.name, event.input)}`);
          },
          signal,
        });
        return end.reason === 'ok' ? { text: end.text, usage: end.usage } : { stopped: end };
      },
      onJudged: (attempt) => {
        line.clear();
        tell(attemptLine(attempt));
      },
    });
  } finally {
    line.clear();
  }
}
