import type { Command } from 'commander';
import { wholeNumber } from '../command.ts';
import { asPlanCommand, planCommand } from '../plan-command.ts';
import { withTrustOption } from '../trust/trust-options.ts';
import type { CompleteOptions } from './complete.ts';
import type { ApproachOptions } from './discovery.ts';
import type { GateOptions } from './gate.ts';
import type { PlanOptions } from './plan-context.ts';
import type { RecordOptions } from './record.ts';

const PLAN = ['--plan <dir>', "the plan's folder (default: the plan of this feature)"] as const;
const TIMEOUT = [
  '--timeout <duration>',
  'stop waiting after this time, with exit code 3; the gate stays open',
] as const;

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
    .action((number: string, variant: string | undefined, options: PlanOptions) =>
      planCommand(async () => (await import('./prompt.ts')).prompt(number, variant, options)),
    );
  ofPhase(plan, 'read-decisions', 'print all decisions about a phase')
    .description(
      'Print all decisions about a phase: decisions and assumptions on its issues, its plan and the project, newest first, and the text of the issues it covers.',
    )
    .addHelpText('after', '\nExample:\n  fermata plan read-decisions 2 | jq ".data.decisions[].answer"')
    .action((number: string, variant: string | undefined, options: PlanOptions) =>
      planCommand(async () => (await import('./prompt.ts')).decisions(number, variant, options)),
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
    .action((number: string, variant: string | undefined, options: PlanOptions) =>
      planCommand(async () => (await import('./start.ts')).start(number, variant, options)),
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
      planCommand(async () => (await import('./record.ts')).record(number, variant, options)),
    );
  withTrustOption(ofPhase(plan, 'complete-prompt', 'run the gate commands of a phase and complete it'))
    .description(
      'Complete a phase: run its gate commands, check that people answered all its gates, close its task and mark it completed.',
    )
    .option('--timeout <duration>', 'how long each gate command may take', '10m')
    .addHelpText('after', '\nExample:\n  fermata plan complete-prompt 2 A')
    .action((number: string, variant: string | undefined, options: CompleteOptions) =>
      planCommand(async () => (await import('./complete.ts')).complete(number, variant, options)),
    );
}

function defineGates(plan: Command): void {
  const gates = [
    ['block-prompt-testing-gate', 'wait until a person has tested the phase', 'testing'],
    ['block-prompt-variants-gate', 'wait until a person has decided on the variants', 'variants'],
    ['block-debugging-logging-gate', 'wait until a person has run the phase and pasted its logs', 'logging'],
  ] as const;
  for (const [name, summary, kind] of gates) {
    const command = ofPhase(plan, name, summary);
    if (kind === 'variants') withTrustOption(command);
    command
      .description(
        `${summary[0]?.toUpperCase()}${summary.slice(1)}. They answer in the inbox, with "fermata answer", or in the gate file. Calling it again waits for the same gate.`,
      )
      .option(...TIMEOUT)
      .addHelpText('after', `\nExample:\n  fermata plan ${name} 2 A`)
      .action((number: string, variant: string | undefined, options: GateOptions) =>
        planCommand(async () => (await import('./gate.ts'))[kind](number, variant, options)),
      );
  }
  asPlanCommand(plan.command('block-findings-gate'))
    .summary('wait until a person has reviewed the approaches')
    .description(
      'Wait until a person has reviewed the approaches for this feature, and print which of them need changes or are rejected.',
    )
    .option(...PLAN)
    .option(...TIMEOUT)
    .addHelpText('after', '\nExample:\n  fermata plan block-findings-gate')
    .action((options: GateOptions) => planCommand(async () => (await import('./gate.ts')).findings(options)));
  asPlanCommand(plan.command('block-plan-gate'))
    .summary('wait until a person has approved the plan')
    .description(
      'Wait until a person has approved the plan or said what needs to change. Approving the plan archives the approaches.',
    )
    .option(...PLAN)
    .option(...TIMEOUT)
    .addHelpText('after', '\nExample:\n  fermata plan block-plan-gate --timeout 1h')
    .action((options: GateOptions) => planCommand(async () => (await import('./gate.ts')).plan(options)));
}

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
      planCommand(async () => (await import('./discovery.ts')).write(agent, number, options)),
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
      planCommand(async () => (await import('./discovery.ts')).find(agent, number, variant, options)),
    );
  asPlanCommand(plan.command('read-design-manifest'))
    .summary("list the plan's designs")
    .description('List the designs in the design/manifest.yaml of the plan.')
    .option(...PLAN)
    .addHelpText('after', '\nExample:\n  fermata plan read-design-manifest')
    .action((options: PlanOptions) =>
      planCommand(async () => (await import('./discovery.ts')).designs(options)),
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
      planCommand(async () => (await import('./overview.ts')).status({ plan: dir, ...options })),
    );
  ofPlan('next', 'list the phases that can start now')
    .description('List the phases that can start now: fixes first, and all variants of a phase together.')
    .option('-n, --limit <number>', 'list at most this many phases', wholeNumber('--limit', 1, 10_000))
    .addHelpText('after', '\nExample:\n  fermata plan next -n 1 | jq -r ".data.next[].id"')
    .action((dir: string | undefined, options: PlanOptions & { limit?: number }) =>
      planCommand(async () => (await import('./overview.ts')).next({ plan: dir, ...options })),
    );
  ofPlan('validate-dependencies', 'check the dependencies between phases')
    .description('Find circular dependencies in a plan, and dependencies on phases that do not exist.')
    .addHelpText('after', '\nExample:\n  fermata plan validate-dependencies plans/login')
    .action((dir: string | undefined, options: PlanOptions) =>
      planCommand(async () => (await import('./overview.ts')).dependencies({ plan: dir, ...options })),
    );
}

function ofPhase(plan: Command, name: string, summary: string): Command {
  return asPlanCommand(plan.command(name))
    .summary(summary)
    .argument('<number>', 'the number of the phase')
    .argument('[variant]', 'the letter of its variant')
    .option(...PLAN);
}
