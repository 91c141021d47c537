import { isNamedByPerson, type Settings } from '../../config/settings.ts';
import { repositoryAt } from '../../git/remote/address.ts';
import { type CloneConflict, findCloneConflict } from '../../ledger/projects/clone-register.ts';
import type { AcceptedRemote, Clone, CloneInput } from '../../schema/clone.ts';
import type { Project } from '../../schema/project.ts';
import { worktreeContextAt } from '../worktrees/worktree-context.ts';
import { type FolderVisitor, findProjectNamed, refuseForeignGit } from './folder-project.ts';
import { type CloneContext, isGone, joinedProjects, readClone } from './join-project.ts';

/** A clone and the project that it could join, side by side. */
export interface Comparison {
  context: CloneContext;
  project: Pick<Project, 'id' | 'name' | 'root'>;
  clone: CloneInput;
  /** Which repository its remote names, as addresses are compared. */
  repository: string | null;
  remotes: AcceptedRemote[];
  others: Clone[];
  /** `new`: nobody has used the project yet. */
  state: 'joined' | 'new' | 'needs_yes' | 'impossible';
  conflict?: CloneConflict;
}

/** Compares the clone of a folder with the project that it is called like, or that the person names. Joins nothing. */
export async function compareClone(
  visitor: FolderVisitor,
  settings: Settings,
  repository: NonNullable<Settings['clone']>,
): Promise<Comparison> {
  const { ledger, by } = visitor;
  refuseForeignGit(repository);
  const joined = await joinedProjects(ledger, repository);
  const { own, project: named } = settings;
  const found = isNamedByPerson(settings)
    ? ((await ledger.projects.find(named.value.id)) ?? (await findProjectNamed(ledger, named.value.name)))
    : await ledger.projects.find(joined[0] ?? own.id);
  const project = found ?? named.value;
  const context = worktreeContextAt(repository.top, settings, { ledger, projectId: project.id, by });
  const { clone } = await readClone(context);
  const remotes = await ledger.clones.accepted(project.id);
  const known = await ledger.clones.list(project.id);
  const others = known.filter((each) => each.id !== clone.id && !isGone(each));
  const at = clone.remote && repositoryAt(clone.remote.address);
  const conflict = (accepts: boolean) => findCloneConflict(clone, at, { others, remotes }, accepts);
  const isNew = !found || (found.lastEvent === 0 && known.length + remotes.length === 0);
  const impossible = conflict(true);
  const accepted = joined.includes(project.id) && (at === null || !conflict(false));
  const state = impossible ? 'impossible' : accepted ? 'joined' : isNew ? 'new' : 'needs_yes';
  return {
    ...{ context, project, clone, repository: at, remotes, others, state },
    ...(impossible ? { conflict: impossible } : {}),
  };
}
