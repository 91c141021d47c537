import type { Command } from 'commander';
import { wholeNumber } from '../command.ts';
import { asPlanCommand, planCommand } from '../plan-command.ts';
import type { CompleteOptions } from './complete.ts';
import type { ApproachOptions } from './discovery.ts';
import type { GateOptions } from './gate.ts';
import type { PlanOptions } from './plan-place.ts';
import type { RecordOptions } from './record.ts';

const PLAN = ['--plan <dir>', 'the folder of the plan (default: the one of this feature)'] as const;
const TIMEOUT = ['--timeout <duration>', 'stop waiting then with exit code 3; the gate stays open'] as const;

/** What an agent calls while it follows a protocol. Each prints one JSON object, whatever happens. */
export function defineAgentCommands(plan: Command): void {
  definePhaseCommands(plan);
  defineGates(plan);
  defineDiscovery(plan);
  defineOverview(plan);
}

function definePhaseCommands(plan: Command): void {
  ofPhase(plan, 'read-prompt', 'a phase as the prompt for its agent')
    .description(
      'Give a phase as a prompt: its text, what it depends on, its criteria, what was done in it, and what people answered.',
    )
    .addHelpText('after', '\nExample:\n  fermata plan read-prompt 2 A | jq -r .data.content')
    .action((number: string, variant: string | undefined, options: PlanOptions) =>
      planCommand(async () => (await import('./prompt.ts')).prompt(number, variant, options)),
    );
  ofPhase(plan, 'start-prompt', 'take a phase and begin with it')
    .description(
      'Take a phase for an agent. Another agent is refused with the name of the one who holds it; the same one goes on.',
    )
    .option('--specialist <name>', 'who works on it; each agent has its own name')
    .option('--worktree <branch>', 'the branch that it is worked on (default: FEATURE--implementation-N[-V])')
    .addHelpText(
      'after',
      '\nExample:\n  fermata plan start-prompt 2 A --specialist backend_1 --worktree login--implementation-2-A',
    )
    .action((number: string, variant: string | undefined, options: PlanOptions) =>
      planCommand(async () => (await import('./start.ts')).start(number, variant, options)),
    );
  ofPhase(plan, 'record-implementation', 'write down what was done')
    .description(
      'Write down what an agent did in a phase. From the second iteration on it needs a reason. The same again changes nothing.',
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
  ofPhase(plan, 'complete-prompt', 'complete a phase: its gate commands are run here')
    .description(
      'Complete a phase: run its gate commands, require that people answered all its gates, close its task and show it as completed.',
    )
    .option('--timeout <duration>', 'how long each gate command may take', '10m')
    .addHelpText('after', '\nExample:\n  fermata plan complete-prompt 2 A')
    .action((number: string, variant: string | undefined, options: CompleteOptions) =>
      planCommand(async () => (await import('./complete.ts')).complete(number, variant, options)),
    );
}

function defineGates(plan: Command): void {
  const gates = [
    ['block-prompt-testing-gate', 'wait until a person has tried it', 'testing'],
    ['block-prompt-variants-gate', 'wait until a person has decided about the variants', 'variants'],
    ['block-debugging-logging-gate', 'wait until a person has run it and given its logs', 'logging'],
  ] as const;
  for (const [name, summary, kind] of gates) {
    ofPhase(plan, name, summary)
      .description(
        `${summary[0]?.toUpperCase()}${summary.slice(1)}: in the inbox, with "fermata answer", or in the gate's file. Called again, it is the same gate.`,
      )
      .option(...TIMEOUT)
      .addHelpText('after', `\nExample:\n  fermata plan ${name} 2 A`)
      .action((number: string, variant: string | undefined, options: GateOptions) =>
        planCommand(async () => (await import('./gate.ts'))[kind](number, variant, options)),
      );
  }
  asPlanCommand(plan.command('block-findings-gate'))
    .summary('wait until a person has looked at the approaches')
    .description(
      'Wait until a person has looked at the approaches of this feature, and say which of them have to change or are rejected.',
    )
    .option(...PLAN)
    .option(...TIMEOUT)
    .addHelpText('after', '\nExample:\n  fermata plan block-findings-gate')
    .action((options: GateOptions) => planCommand(async () => (await import('./gate.ts')).findings(options)));
  asPlanCommand(plan.command('block-plan-gate'))
    .summary('wait until a person has approved the plan')
    .description(
      'Wait until a person has approved the plan, or says what has to change. An approved plan puts the approaches away.',
    )
    .option(...PLAN)
    .option(...TIMEOUT)
    .addHelpText('after', '\nExample:\n  fermata plan block-plan-gate --timeout 1h')
    .action((options: GateOptions) => planCommand(async () => (await import('./gate.ts')).plan(options)));
}

function defineDiscovery(plan: Command): void {
  asPlanCommand(plan.command('write-approach'))
    .summary('write down a way to do something')
    .description(
      'Write down an approach of a specialist. A number has variants, all with letters, or it stands alone. Its questions go to the inbox.',
    )
    .argument('<agent>', 'the specialist')
    .argument('<number>', 'the number of the approach')
    .option('--description <text>', 'what it is, in a sentence')
    .option('--variant <letter>', 'which variant, where there are several')
    .option('--context <text>', 'everything that one has to know')
    .option('--files <list>', 'files that it is about, with commas between them')
    .option('--questions <list>', 'what has to be asked, with | between the questions')
    .option(...PLAN)
    .addHelpText(
      'after',
      '\nExample:\n  fermata plan write-approach frontend 1 --variant A --description "Server-side form" --context "…" --files src/form.ts',
    )
    .action((agent: string, number: string, options: ApproachOptions) =>
      planCommand(async () => (await import('./discovery.ts')).write(agent, number, options)),
    );
  asPlanCommand(plan.command('get-finding-approach'))
    .summary('an approach, with what a person wants changed')
    .description(
      'Give an approach, or all variants of its number, with "pending_refinement" where a person asked for changes.',
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
    .summary("the plan's designs")
    .description('List the designs of the plan, as its design/manifest.yaml does.')
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
      .argument('[dir]', 'the folder of a plan (default: the one of this feature)')
      .option(...PLAN);
  ofPlan('status', 'where a plan stands')
    .description('Tell where each phase of a plan stands: who holds it, and what it waits for.')
    .addHelpText('after', '\nExample:\n  fermata plan status | jq .data.counts')
    .action((dir: string | undefined, options: PlanOptions) =>
      planCommand(async () => (await import('./overview.ts')).status({ plan: dir, ...options })),
    );
  ofPlan('next', 'what can be started now')
    .description(
      'List the phases that can be started now: fixes first, and all variants of a phase together.',
    )
    .option('-n, --limit <number>', 'so many phases at most', wholeNumber('--limit', 1, 10_000))
    .addHelpText('after', '\nExample:\n  fermata plan next -n 1 | jq -r ".data.next[].id"')
    .action((dir: string | undefined, options: PlanOptions & { limit?: number }) =>
      planCommand(async () => (await import('./overview.ts')).next({ plan: dir, ...options })),
    );
  ofPlan('validate-dependencies', 'whether the phases can be done in some order')
    .description('Tell which dependencies of a plan go in a circle, and which are of no phase.')
    .addHelpText('after', '\nExample:\n  fermata plan validate-dependencies plans/login')
    .action((dir: string | undefined, options: PlanOptions) =>
      planCommand(async () => (await import('./overview.ts')).dependencies({ plan: dir, ...options })),
    );
}

function ofPhase(plan: Command, name: string, summary: string): Command {
  return asPlanCommand(plan.command(name))
    .summary(summary)
    .argument('<number>', 'the phase, by its number')
    .argument('[variant]', 'which variant of it, by its letter')
    .option(...PLAN);
}
