import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { startRun } from '../../agents/conduct.ts';
import type { Conducting } from '../../agents/conducting.ts';
import type { AgentDriver, AgentSetup, RunEnd } from '../../agents/driver.ts';
import { readsInside } from '../../agents/reads-inside.ts';
import { toolSummary } from '../../agents/stream/tool-summary.ts';
import { type Attempt, type Attempted, attemptPlan } from '../../planning/convert/attempt-plan.ts';
import { previousIssuesSection } from '../../planning/convert/previous-issues.ts';
import { completeMaster } from '../../planning/from-issues/complete-master.ts';
import { planFromIssuesPrompt } from '../../planning/from-issues/prompt.ts';
import type { ResolvedQuestion } from '../../planning/from-issues/resolved-question.ts';
import { readPlan } from '../../planning/plan/read-plan.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import { attended } from '../agents/attended.ts';
import { tell } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import type { Session } from '../session.ts';
import type { Gathered } from './gather.ts';

const MOST_ATTEMPTS = 3;

/** Where the plan goes. One that nobody has begun is replaced; beside any other a new one is made. */
export function planFolder(root: string, name: string, output: string | undefined): string {
  if (output !== undefined) {
    const folder = resolve(output);
    if (!isBegun(folder)) return folder;
    throw new FermataError(
      'invalid',
      `${output} has a plan that was begun. Name another folder with --output.`,
    );
  }
  for (let number = 1; ; number++) {
    const folder = join(root, 'plans', number === 1 ? name : `${name}-${number}`);
    if (!isBegun(folder)) return folder;
  }
}

const isBegun = (folder: string) =>
  existsSync(folder) && readPlan(folder).plan.phases.some(({ status }) => status !== 'pending');

/** Lets the agent write the plan, as often as it takes to pass the audit, within bounds. */
export async function writePlan(
  session: Session,
  projectId: string,
  gathered: Gathered,
  resolved: ResolvedQuestion[],
  output: string,
  agent: { driver: AgentDriver; setup: AgentSetup },
  stop: AbortController,
): Promise<Attempted<RunEnd>> {
  const line = progressLine();
  const prompt = planFromIssuesPrompt({ ...gathered, resolved });
  let runId: string | undefined;
  const conducting: Conducting = {
    ledger: session.ledger,
    ...agent,
    questions: 'assume',
    allows: (tool, input) => readsInside(agent.setup.cwd, tool, input),
    signal: stop.signal,
    onRun: (run) => {
      runId = run.id;
    },
    onEvent: (event) => {
      // A person is asked in the same terminal.
      if (event.kind === 'permission') line.clear();
      if (event.kind === 'tool') line.show(`The agent works: ${toolSummary(event.name, event.input)}`);
    },
  };
  const isOurs = ({ resume }: Notification) => runId !== undefined && resume?.run === runId;
  const say = (message: string) => {
    line.clear();
    tell(message);
  };
  const work = () =>
    attemptPlan<RunEnd>({
      output,
      replace: true,
      attempts: join(session.settings.home.value, 'projects', projectId, 'attempts', basename(output)),
      maxIterations: MOST_ATTEMPTS,
      edit: (files) => completeMaster(files, { ...gathered, resolved }),
      onJudged: (attempt) => attempt.passed || say(problemsOf(attempt)),
      ask: async ({ number, previous }) => {
        say(`The agent writes the plan (attempt ${number} of ${MOST_ATTEMPTS}) …`);
        line.show(`The agent writes the plan (attempt ${number} of ${MOST_ATTEMPTS}) …`);
        const { end } = await startRun(conducting, {
          projectId,
          source: 'plan',
          sourceId: basename(output),
          prompt: [prompt, previousIssuesSection(previous)].filter(Boolean).join('\n\n'),
          data: { command: 'plan-from-issues', output },
        });
        return end.reason === 'ok' ? { text: end.text, usage: end.usage } : { stopped: end };
      },
    });
  try {
    return await attended(session, projectId, isOurs, stop, true, work);
  } finally {
    line.clear();
  }
}

function problemsOf({ number, issues }: Attempt): string {
  const errors = issues.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const more = errors.length > 1 ? ` and ${errors.length - 1} more` : '';
  return `Attempt ${number} failed the audit: ${first?.code ?? 'no plan'}: ${first?.message ?? ''}${more}`;
}
