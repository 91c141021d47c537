import type { Command } from 'commander';
import { parseMilliseconds } from '../../config/duration.ts';
import { readDecided } from '../../work/decided/read-decided.ts';
import { findApproaches, writeApproach } from '../../work/discovery/approaches.ts';
import { designsOf } from '../../work/discovery/design-manifest.ts';
import { completePhase } from '../../work/phases/complete.ts';
import { planNext, planStatus, validateDependencies } from '../../work/phases/overview.ts';
import type { Surroundings } from '../../work/phases/plan-context.ts';
import { readPrompt } from '../../work/phases/prompt.ts';
import { readImplementation, recordImplementation } from '../../work/phases/record.ts';
import { type StartOptions, startPrompt } from '../../work/phases/start.ts';
import { wholeNumber } from '../command.ts';
import { interruptible } from '../interrupt.ts';
import { tell } from '../output.ts';
import { asPlanCommand, planCommand } from '../plan-command.ts';
import { withTrustOption } from '../trust/trust-options.ts';
import { defineGates, scopeOf } from './gate.ts';
import {
  type FollowedPlanOptions,
  ofPhase,
  PLAN,
  type PlanOptions,
  withFollowedPhase,
  withPhase,
  withPlan,
  withSurroundings,
} from './plan-context.ts';

interface RecordOptions extends PlanOptions {
  walkthrough?: string;
  iteration?: string;
  refinementReason?: string;
}

interface CompleteOptions extends FollowedPlanOptions {
  timeout: string;
}

/** What an agent calls while it follows a protocol. */
export function defineAgentCommands(plan: Command): void {
  definePhaseCommands(plan);
  defineGates(plan);
  defineDiscovery(plan);
  defineOverview(plan);
}

function definePhaseCommands(plan: Command): void {
  withTrustOption(ofPhase(plan, 'read-prompt', 'print a phase as the prompt for its agent'))
    .description(
      'Print a phase as a prompt: its text, dependencies and criteria, the work so far, and what people answered.',
    )
    .addHelpText('after', '\nExample:\n  fermata plan read-prompt 2 A | jq -r .data.content')
    .action((number: string, variant: string | undefined, options: FollowedPlanOptions) =>
      planCommand(() => withFollowedPhase(options, number, variant, readPrompt)),
    );
  ofPhase(plan, 'read-decisions', 'print all decisions about a phase')
    .description(
      'Print all decisions about a phase: decisions and assumptions on its issues, its plan and the project, newest first, and the text of the issues it covers.',
    )
    .addHelpText('after', '\nExample:\n  fermata plan read-decisions 2 | jq ".data.decisions[].answer"')
    .action((number: string, variant: string | undefined, options: PlanOptions) =>
      planCommand(() => withPhase(options, number, variant, readDecided)),
    );
  withTrustOption(ofPhase(plan, 'start-prompt', 'claim a phase for an agent'))
    .description(
      'Claim a phase for an agent. Fails if another agent holds the phase, and names that agent. If you already hold it, you keep it.',
    )
    .option('--specialist <name>', 'the agent that works on it; each agent needs its own name')
    .option('--worktree <branch>', 'the branch to work on (default: FEATURE[--PLAN]--implementation-N[-V])')
    .addHelpText(
      'after',
      '\nExample:\n  fermata plan start-prompt 2 A --specialist backend_1 --worktree login--implementation-2-A',
    )
    .action((number: string, variant: string | undefined, options: FollowedPlanOptions & StartOptions) =>
      planCommand(() =>
        withFollowedPhase(
          options,
          number,
          variant,
          (planContext, at) => startPrompt(planContext, at, options),
          true,
        ),
      ),
    );
  ofPhase(plan, 'record-implementation', 'record what an agent did in a phase')
    .description(
      'Record what an agent did in a phase. The second and later iterations need a reason. Recording the same walkthrough twice has no effect.',
    )
    .option('--walkthrough <text>', 'what was done and why')
    .option('--iteration <number>', 'which iteration it is (default: 1)')
    .option('--refinement-reason <text>', '"Review feedback: …" or "Testing feedback: …"')
    .addHelpText(
      'after',
      '\nExample:\n  fermata plan record-implementation 2 --walkthrough "Added the form" --iteration 1',
    )
    .action((number: string, variant: string | undefined, options: RecordOptions) =>
      planCommand(() => {
        const done = readImplementation(options.walkthrough, options.iteration, options.refinementReason);
        return withPhase(options, number, variant, (planContext, at) =>
          recordImplementation(planContext, at, done),
        );
      }),
    );
  withTrustOption(ofPhase(plan, 'complete-prompt', 'run the gate commands of a phase and complete it'))
    .description(
      'Complete a phase: run its gate commands, check that people answered all its gates, close its task and mark it completed.',
    )
    .option('--timeout <duration>', 'how long each gate command may take', '10m')
    .addHelpText('after', '\nExample:\n  fermata plan complete-prompt 2 A')
    .action((number: string, variant: string | undefined, options: CompleteOptions) =>
      planCommand(() => {
        const timeoutMs = parseMilliseconds(options.timeout, '--timeout');
        return interruptible((signal) =>
          withFollowedPhase(options, number, variant, (planContext, at) =>
            completePhase(planContext, at, { timeoutMs, signal, tell }),
          ),
        );
      }),
    );
}

function defineOverview(plan: Command): void {
  const ofPlan = (name: string, summary: string) =>
    asPlanCommand(plan.command(name))
      .summary(summary)
      .argument('[dir]', "the plan's folder (default: the plan of this feature)")
      .option(...PLAN);
  ofPlan('status', 'print the status of a plan')
    .description('Print the status of each phase of a plan, who holds it, and what it is waiting for.')
    .addHelpText('after', '\nExample:\n  fermata plan status | jq .data.counts')
    .action((dir: string | undefined, options: PlanOptions) =>
      planCommand(() => withPlan({ plan: dir, ...options }, planStatus)),
    );
  ofPlan('next', 'list the phases that can start now')
    .description('List the phases that can start now: fixes first, and all variants of a phase together.')
    .option('-n, --limit <number>', 'list at most this many phases', wholeNumber('--limit', 1, 10_000))
    .addHelpText('after', '\nExample:\n  fermata plan next -n 1 | jq -r ".data.next[].id"')
    .action((dir: string | undefined, options: PlanOptions & { limit?: number }) =>
      planCommand(() =>
        withPlan({ plan: dir, ...options }, (planContext) => planNext(planContext, options.limit)),
      ),
    );
  ofPlan('validate-dependencies', 'check the dependencies between phases')
    .description('Find circular dependencies in a plan, and dependencies on phases that do not exist.')
    .addHelpText('after', '\nExample:\n  fermata plan validate-dependencies plans/login')
    .action((dir: string | undefined, options: PlanOptions) =>
      planCommand(() =>
        withPlan({ plan: dir, ...options }, async (planContext) => validateDependencies(planContext)),
      ),
    );
}

interface ApproachOptions extends PlanOptions {
  description?: string;
  variant?: string;
  context?: string;
  files?: string;
  questions?: string;
}

/** The commands about approaches, before there is a plan. */
function defineDiscovery(plan: Command): void {
  asPlanCommand(plan.command('write-approach'))
    .summary('record an approach')
    .description(
      "Record a specialist's approach. If several approaches share a number, each needs a variant letter. Its questions go to the inbox.",
    )
    .argument('<agent>', 'the specialist')
    .argument('<number>', 'the number of the approach')
    .option('--description <text>', 'what it is, in one sentence')
    .option('--variant <letter>', 'which variant, if there are several')
    .option('--context <text>', 'the background that an implementer needs')
    .option('--files <list>', 'the files it concerns, separated by commas')
    .option('--questions <list>', 'questions to ask, separated by |')
    .option(...PLAN)
    .addHelpText(
      'after',
      '\nExample:\n  fermata plan write-approach frontend 1 --variant A --description "Server-side form" --context "…" --files src/form.ts',
    )
    .action((agent: string, number: string, options: ApproachOptions) =>
      planCommand(() => write(agent, number, options)),
    );
  asPlanCommand(plan.command('get-finding-approach'))
    .summary('print an approach, with the changes a person wants')
    .description(
      'Print an approach, or all variants of its number, with "pending_refinement" if a person asked for changes.',
    )
    .argument('<agent>', 'the specialist')
    .argument('<number>', 'the number of the approach')
    .argument('[variant]', 'which variant')
    .option(...PLAN)
    .addHelpText('after', '\nExample:\n  fermata plan get-finding-approach frontend 1 A')
    .action((agent: string, number: string, variant: string | undefined, options: PlanOptions) =>
      planCommand(() => inScope(options, (place) => findApproaches(place, agent, number, variant))),
    );
  asPlanCommand(plan.command('read-design-manifest'))
    .summary('list the designs')
    .description(
      'List the designs in the design/manifest.yaml of the plan or, if it has none, of the project.',
    )
    .option(...PLAN)
    .addHelpText('after', '\nExample:\n  fermata plan read-design-manifest')
    .action((options: PlanOptions) =>
      planCommand(() => withSurroundings(options, (around) => designsOf(around, options.plan))),
    );
}

const write = (agent: string, number: string, options: ApproachOptions) =>
  inScope(options, (place) => {
    const { description, variant, context, files, questions } = options;
    return writeApproach(place, { agent, number, description, variant, context, files, questions });
  });

function inScope<T>(
  options: PlanOptions,
  work: (place: Surroundings & { scope: string }) => Promise<T>,
): Promise<T> {
  return withSurroundings(options, async (around) =>
    work({ ...around, scope: await scopeOf(around, options.plan) }),
  );
}
