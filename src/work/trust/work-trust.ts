import type { Context } from '../context.ts';
import type { WorkRun } from '../run/work-run.ts';
import { agentFileContents, followedProtocols, promptContents } from './gather.ts';
import type { RepositoryContent } from './repository-content.ts';
import { requireTrust, type TrustOptions } from './require-trust.ts';
import { changedAgentFiles } from './worktree-files.ts';

/** What agents follow and Fermata runs. `protocols` are checked again for each agent, `also` only once. */
interface Followed {
  protocols: Iterable<string>;
  also: readonly RepositoryContent[];
}

/**
 * Makes sure that a person has trusted everything the work follows before it begins. The returned check runs again for
 * each agent, because those files are read again.
 */
export async function workTrust(
  context: Context,
  { cwd, git }: Pick<WorkRun['around'], 'cwd' | 'git'>,
  { protocols, also }: Followed,
  options: TrustOptions,
): Promise<Pick<WorkRun, 'confirmTrust'>> {
  const project = await context.project();
  const followed = async () => [
    ...(await followedProtocols(cwd, protocols)),
    ...promptContents(cwd, ['coder']),
    ...agentFileContents(git.top),
  ];
  await requireTrust(context, project, [...(await followed()), ...also], options);
  return {
    confirmTrust: async (worktree) => {
      const changed = await changedAgentFiles(context.ledger, project.id, worktree);
      const contents = [...(await followed()), ...changed];
      // We do not interrupt the person during the work; new content waits in the inbox.
      await requireTrust({ ...context, ask: {} }, project, contents, { neverInAdvance: true });
    },
  };
}
