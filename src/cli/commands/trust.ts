import { join } from 'node:path';
import type { Command } from 'commander';
import { refuseAgent } from '../../ledger/access/refuse-agent.ts';
import type { Phase } from '../../plan/grammar/plan.ts';
import { plansIn } from '../../plan/plan-folder.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { TrustedContent } from '../../schema/trusted-content.ts';
import { openPlanContext, readUsablePlan } from '../../work/phases/open-plan-context.ts';
import type { PlanContext, Surroundings } from '../../work/phases/plan-context.ts';
import {
  agentFilesFor,
  allTemplates,
  configContents,
  ineffective,
  planContent,
  promptContents,
  protocolContents,
} from '../../work/trust/gather.ts';
import { checkContents } from '../../work/trust/project-checks.ts';
import { type JudgedContent, judge, type RepositoryContent } from '../../work/trust/repository-content.ts';
import type { CommonOptions } from '../command.ts';
import {
  type CommandContext,
  currentActor,
  withKnownLedger,
  withTrustedCommandContext,
} from '../command-context.ts';
import { localTime } from '../local-time.ts';
import { print, printJson, tell } from '../output.ts';
import { surroundingsHere } from '../plan/plan-context.ts';
import { tablePrinter } from '../table.ts';
import { requireTrust } from '../trust/require-trust.ts';
import { type TrustOptions, withTrustOption } from '../trust/trust-options.ts';

interface Options extends CommonOptions, TrustOptions {
  list?: true;
  revoke?: string;
}

export function define(command: Command): void {
  withTrustOption(command)
    .description(
      'Review the files of this repository that Fermata would run or agents would follow, and decide whether to trust them.',
    )
    .argument('[plan]', "a plan's folder (default: every plan that is not done)")
    .option('--list', 'list what is trusted and what is not, without asking')
    .option('--revoke <name>', 'stop trusting this (a name from --list)')
    .addHelpText(
      'after',
      `
Examples:
  fermata trust                        review the files one by one
  fermata trust --list
  fermata trust --revoke plan:login

These files are fermata.config.json, .claude/protocols, .claude/fermata/prompts and templates, the gates and gate commands
of plans, the project's own checks (such as "npm test"), and files with commands that agent programs run
(.claude/settings.json, .mcp.json, .codex/config.toml). If one of them changes, except by a merge that you approved, Fermata
asks again and shows the diff. Without a terminal, the questions go to the inbox.
Exit codes: 0 everything is trusted, 1 you said no, 3 the questions wait in the inbox, 130 interrupted.`,
    )
    .action(async (plan: string | undefined, options: Options) => {
      if (options.revoke !== undefined) return revoke(options.revoke, options);
      if (options.list) return withKnownLedger(options, (context) => list(context, plan, options));
      refuseAgent({ actor: currentActor(), channel: 'command' }, 'decide what to trust');
      const askAgain = { ...options, again: true };
      await withTrustedCommandContext(askAgain, async (context) => {
        await requireTrust(context, await context.project(), await gatherHere(context, plan), askAgain);
        if (options.format === 'json') return list(context, plan, options);
        await print(`Everything here is trusted. List it with "${cmd`trust --list`}".`);
      });
    });
}

async function revoke(name: string, options: Options): Promise<void> {
  await withKnownLedger(options, async (context) => {
    const { ledger, settings } = context;
    const by = context.by('command');
    const projects = new Set([
      settings.own.id,
      settings.project.value.id,
      (await context.knownProject())?.id,
    ]);
    let wasTrusted = false;
    for (const id of projects) {
      if (id !== undefined && (await ledger.projects.find(id)))
        wasTrusted = (await ledger.trust.revoke(id, name, by)) || wasTrusted;
    }
    if (!wasTrusted)
      throw new FermataError(
        'not_found',
        `"${name}" is not trusted, so there is nothing to revoke. List the names with "${cmd`trust --list`}".`,
      );
    if (options.format === 'json') return printJson({ name, trusted: false });
    await print(`${name} is no longer trusted.`);
  });
}

interface Listed {
  name: string;
  state: JudgedContent['state'] | 'gone';
  sha256: string | null;
  by: string | null;
  at: string | null;
}

async function list(context: CommandContext, plan: string | undefined, options: Options): Promise<void> {
  const { ledger, settings } = context;
  const project = await context.project();
  const accepted = [
    ...(await ledger.trust.list(settings.own.id)).filter(({ name }) => name === 'config'),
    ...(await ledger.trust.list(project.id)).filter(({ name }) => name !== 'config'),
  ];
  const { file } = settings;
  if (file?.problem !== undefined) tell(ineffective(file.problem));
  const judged = judge([...configContents(file), ...(await gatherHere(context, plan, true))], accepted);
  const trusted = listed(judged, accepted);
  if (options.format === 'json') return printJson({ trusted });
  await print(table(trusted).join('\n') || 'Nothing in this repository needs your trust.');
}

function listed(judged: JudgedContent[], accepted: TrustedContent[]): Listed[] {
  const states = new Map<string, Listed['state']>(accepted.map(({ name }) => [name, 'gone']));
  for (const { name, state } of judged) states.set(name, state);
  const known = new Map(accepted.map((each) => [each.name, each]));
  return [...states].sort().map(([name, state]) => {
    const { hash = null, by, at = null } = known.get(name) ?? {};
    return { name, state, sha256: hash, by: by?.actor.name ?? null, at };
  });
}

const table = tablePrinter<Listed>([
  { heading: 'NAME', cell: ({ name }) => name, flexible: true },
  { heading: 'STATE', cell: ({ state }) => state },
  { heading: 'SHA256', cell: ({ sha256 }) => sha256?.slice(0, 16) ?? '' },
  { heading: 'TRUSTED BY', cell: ({ by }) => by ?? '' },
  { heading: 'WHEN', cell: ({ at }) => (at === null ? '' : localTime(at)) },
]);

type NamedPlan = Pick<PlanContext, 'name' | 'written'>;

/** Everything in this repository that needs trust, except its configuration: with the named plan, else all unfinished ones. */
async function gatherHere(
  context: CommandContext,
  plan: string | undefined,
  all = false,
): Promise<RepositoryContent[]> {
  const around = await surroundingsHere(context);
  const { root } = context.settings.project.value;
  const top = around.git?.top ?? root;
  const plans =
    plan === undefined
      ? plansHere(around).filter(({ written }) => all || written.phases.some(isOpen))
      : [await openPlanContext(around, plan)];
  return unique([
    ...protocolContents(around.cwd),
    ...promptContents(root),
    ...allTemplates(root),
    ...promptContents(around.cwd, ['coder']),
    ...agentFilesFor(top, around.cwd),
    ...(plan === undefined && !context.settings.config.checks ? checkContents(top) : []),
    ...plans.map(({ name, written }) => planContent(name, written)),
  ]);
}

const isOpen = ({ status }: Phase) => status !== 'completed';

/** In a subfolder the same file may be found twice; the nearer one counts. */
const unique = (contents: RepositoryContent[]) => [
  ...new Map(contents.map((each) => [each.name, each])).values(),
];

function plansHere({ checkouts }: Surroundings): NamedPlan[] {
  const folder = join(checkouts.feature, 'plans');
  return plansIn(folder).flatMap((name) => {
    try {
      return [{ name, written: readUsablePlan(join(folder, name)) }];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      tell(`Skipped plans/${name}: ${error.message}`);
      return [];
    }
  });
}
