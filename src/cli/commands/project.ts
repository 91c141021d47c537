import type { Command } from 'commander';
import { loadSettings } from '../../config/settings.ts';
import { refuseAgent } from '../../ledger/access/refuse-agent.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { Refusal } from '../../schema/refusal.ts';
import { visible } from '../../schema/visible.ts';
import { type Comparison, compareClone } from '../../work/projects/compare-clone.ts';
import { ensureProject } from '../../work/projects/folder-project.ts';
import { cloneRefusal, joinClone } from '../../work/projects/join-project.ts';
import { trustsAll } from '../../work/trust/require-trust.ts';
import { requireRepository } from '../../work/worktrees/worktree-context.ts';
import { isAtTerminal } from '../at-terminal.ts';
import type { CommonOptions } from '../command.ts';
import { currentActor, withCommandContext } from '../command-context.ts';
import { confirm } from '../confirm.ts';
import { exit, exitCodeOf } from '../exit.ts';
import { localTime } from '../local-time.ts';
import { describeError, print, printJson, tell } from '../output.ts';

interface JoinOptions extends CommonOptions {
  trust?: true;
}

export function define(project: Command): void {
  project
    .description('Say which repositories belong to a project of a ledger on PostgreSQL.')
    .addHelpText('after', '\nExample:\n  fermata project join');
  project
    .command('join')
    .summary('compare this clone with its project, and join it')
    .description(
      'Compare this clone with the project of the same name in a ledger on PostgreSQL, and join it after you say yes. From then on, every clone from the same address belongs to the project.',
    )
    .option('--trust', 'say yes without being asked (FERMATA_TRUST=1 in CI)')
    .addHelpText(
      'after',
      `
Examples:
  fermata project join
  fermata project join --project shop-fork    make this clone a project of its own

It shows the project, the remote's address, the first commits and the known clones. A clone without a common first commit
cannot join. The first clone of a new project joins with any command.
Exit codes: 0 it belongs to the project, 1 you said no, 2 it cannot join, 3 a person has to say yes.`,
    )
    .action(async ({ trust, ...options }: JoinOptions) => {
      refuseAgent({ actor: currentActor(), channel: 'command' }, 'say which clones belong to a project');
      requireRepository(process.cwd());
      const settings = loadSettings(process.cwd(), process.env, options);
      const { clone: repository, store } = settings;
      if (!repository)
        throw new FermataError(
          'invalid',
          `In the ledger at ${store.value}, each repository is its own project, so there is nothing to join. Clones share a project in a ledger on PostgreSQL (--store).`,
        );
      await withCommandContext(options, async ({ ledger, by }) => {
        const visitor = { ledger, by: by('command'), tell };
        const comparison = await compareClone(visitor, settings, repository);
        const { state, project, clone, conflict, context } = comparison;
        if (options.format !== 'json') await print(describeComparison(comparison));
        const isJoined =
          state === 'joined' ||
          (state !== 'impossible' && (state === 'new' || (await isWanted(comparison, trust))));
        if (state === 'new') await ensureProject(visitor, settings, project);
        else if (state === 'needs_yes' && isJoined) await joinClone(context, clone, true);
        if (options.format === 'json') await printJson(asJson(comparison, isJoined === true));
        const refusal = conflict
          ? cloneRefusal(project.name, clone, conflict)
          : isJoined === undefined && needsYes(comparison);
        process.exitCode = refusal ? exitCodeOf(refusal) : isJoined ? exit.done : exit.failed;
        if (refusal) tell(`fermata: ${describeError(refusal, false)}`);
        else tell(isJoined ? `This clone belongs to ${project.name}.` : 'Nothing was changed.');
      });
    });
}

/** Undefined if nobody can be asked here. */
async function isWanted({ project, repository }: Comparison, trust?: true): Promise<boolean | undefined> {
  if (trustsAll(process, { trust })) return true;
  if (!isAtTerminal()) return undefined;
  const subject = repository === null ? 'Does this clone' : `Do clones from ${visible(repository)}`;
  return confirm(`${subject} belong to ${visible(project.name)}?`);
}

const needsYes = ({ project, repository }: Comparison) =>
  new Refusal(
    'needs_approval',
    `A person has to say that ${repository ?? 'this clone'} belongs to ${project.name}.`,
    {
      suggestion: `Run "${cmd`project join`}" in a terminal. In a script, pass --trust.`,
      code: 'waiting',
    },
  );

function describeComparison({ project, clone, repository, remotes, others, state }: Comparison): string {
  const known = [...new Set([...others, ...remotes].flatMap(({ roots }) => roots))];
  const common = clone.roots.filter((root) => known.includes(root));
  const rows: [string, string[]][] = [
    ['Project', [`${project.name} (${project.id})${state === 'new' ? ', new in this ledger' : ''}`]],
    ['This clone', [`${clone.host}:${clone.folder}`]],
    ['Its remote', [clone.remote ? `${repository} (${clone.remote.name}, ${clone.remote.address})` : 'none']],
    [
      'Accepted remotes',
      remotes.map(({ address, by, at }) => `${address} (by ${by.actor.name}, ${localTime(at)})`),
    ],
    ['Its first commits', clone.roots],
    ["The project's", known],
    ['In common', common],
    [
      'Known clones',
      others.map(({ host, folder, remote }) => `${host}:${folder} (${remote?.address ?? 'no remote'})`),
    ],
  ];
  return rows
    .flatMap(([name, values]) =>
      (values.length > 0 ? values : ['none']).map(
        (value, index) => `${(index === 0 ? `${name}:` : '').padEnd(19)}${visible(value)}`,
      ),
    )
    .join('\n');
}

function asJson({ project, clone, repository, remotes, others, state }: Comparison, joined: boolean) {
  const { id, name } = project;
  const { host, folder, roots, remote } = clone;
  return {
    state,
    joined,
    project: { id, name },
    clone: { host, folder, roots, remote: remote && { ...remote, repository } },
    accepted: remotes,
    clones: others,
  };
}
