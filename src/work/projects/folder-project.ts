import { dirname } from 'node:path';
import { isItsCheckout, type Repository } from '../../config/repository.ts';
import {
  folderProjectId,
  isNamedByPerson,
  type ProjectIdentity,
  type Settings,
} from '../../config/settings.ts';
import { refuseAgent } from '../../ledger/access/refuse-agent.ts';
import { trustedConfig } from '../../ledger/decisions/autonomy.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { By } from '../../schema/actor.ts';
import { isServer } from '../../schema/address.ts';
import type { Config } from '../../schema/config.ts';
import { FermataError } from '../../schema/error.ts';
import type { Project } from '../../schema/project.ts';
import { Refusal } from '../../schema/refusal.ts';
import { worktreeContextAt } from '../worktrees/worktree-context.ts';
import { joinedProjects, joinProject } from './join-project.ts';

/** Loads the settings of a folder, with what was trusted of its file and the project that its clone has joined. */
export type LoadSettings = (config?: Config, joined?: ProjectIdentity) => Settings;

/** Who acts in a folder, and how they learn what happens. */
export interface FolderVisitor {
  ledger: Ledger;
  by: By;
  tell?(sentence: string): void;
}

export interface Folder {
  /** The settings that apply: with the trusted version of the repository's file, whatever the file contains now. */
  settings: Settings;
  /** On a shared store: why the folder's clone does not belong to the project that it is called like. */
  stranger?: Refusal;
}

/**
 * Finds the project of a folder. On a shared store, a repository belongs to the project that its clone has joined, or joins now
 * because a person has accepted its remote; its files and the name of its remote are only a wish. On a store in a file it is the
 * folder's own.
 */
export async function openFolder(visitor: FolderVisitor, load: LoadSettings): Promise<Folder> {
  const { own, stranger } = await ownProject(visitor, load());
  if (stranger) return { settings: load({}, own), stranger };
  const trusted = await visitor.ledger.trust.find(own.id, 'config');
  return { settings: load(trusted ? trustedConfig(trusted.content) : {}, own) };
}

async function ownProject(
  visitor: FolderVisitor,
  loaded: Settings,
): Promise<{ own: ProjectIdentity; stranger?: Refusal }> {
  const { ledger } = visitor;
  const { clone, own } = loaded;
  if (!clone) return { own };
  const [joined] = await joinedProjects(ledger, clone);
  if (joined !== undefined)
    return { own: { ...own, id: joined, name: (await ledger.projects.get(joined)).name } };
  const wanted = isNamedByPerson(loaded) ? await named(ledger, loaded) : await ledger.projects.find(own.id);
  if (!wanted) return { own: isNamedByPerson(loaded) ? loaded.project.value : own };
  try {
    await requireJoined(visitor, loaded, wanted);
    return { own: { ...own, id: wanted.id, name: wanted.name } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { own: { ...own, id: folderProjectId(clone.commonDir, true) }, stranger: error };
  }
}

/**
 * The project of a folder, to read there what is recorded of it and to answer; undefined if there is none. A person may name
 * the project of another folder.
 */
export async function findProject(
  visitor: FolderVisitor,
  { settings, stranger }: Folder,
): Promise<Project | undefined> {
  const { ledger } = visitor;
  if (isNamedByPerson(settings)) return named(ledger, settings);
  if (stranger) throw stranger;
  const { id, root, declared } = settings.project.value;
  const known = await ledger.projects.find(id);
  if (known) {
    await requireJoined(visitor, settings, known);
    return known;
  }
  if (declared) return undefined;
  const isShared = isServer(settings.store.value);
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder)) {
    const around = await ledger.projects.find(folderProjectId(folder, isShared));
    if (around) return around;
  }
  return undefined;
}

/**
 * The project of a folder, to work there. Adds it if it is not known yet. An agent of a run belongs to the run's project,
 * wherever its folder is.
 */
export async function openProject(visitor: FolderVisitor, folder: Folder): Promise<Project> {
  const { settings } = folder;
  const found = await findProject(visitor, folder);
  if (found && visitor.by.actor.kind === 'agent' && isNamedByPerson(settings)) return found;
  return ensureProject(visitor, settings, found ?? settings.project.value);
}

/** Adds a project of a folder if it is not known yet; on a shared store, the folder's clone joins it. */
export async function ensureProject(
  visitor: FolderVisitor,
  settings: Settings,
  { id, name, root }: Pick<Project, 'id' | 'name' | 'root'>,
): Promise<Project> {
  const { ledger, by } = visitor;
  const known = await ledger.projects.find(id);
  if (!known && settings.clone) refuseAgent(by, 'introduce a project');
  const project = known ?? (await ledger.projects.ensure({ id, name, root }));
  await requireJoined(visitor, settings, project);
  return project;
}

/** Throws unless the clone of a folder on a shared store belongs to this project. It joins if a person has accepted its remote. */
export async function requireJoined(
  { ledger, by, tell }: FolderVisitor,
  settings: Settings,
  { id: projectId }: Pick<Project, 'id'>,
): Promise<void> {
  const { clone } = settings;
  if (!clone) return;
  refuseForeignGit(clone);
  if ((await joinedProjects(ledger, clone)).includes(projectId)) return;
  const context = worktreeContextAt(clone.top, settings, { ledger, projectId, by });
  await joinProject({ ...context, ...(tell ? { tell } : {}) });
}

export function refuseForeignGit(clone: Repository): void {
  if (isItsCheckout(clone)) return;
  throw new Refusal(
    'foreign_git',
    `${clone.top}/.git points to ${clone.commonDir}, which is the repository of another folder.`,
    {
      suggestion: 'Work in a clone or a worktree that git made. Nothing was read or changed.',
      code: 'invalid',
    },
  );
}

const named = async (ledger: Ledger, { project }: Settings) =>
  (await ledger.projects.find(project.value.id)) ?? findProjectNamed(ledger, project.value.name);

/** A person refers to a project of another folder by name or id. */
export async function findProjectNamed(ledger: Ledger, name: string): Promise<Project | undefined> {
  const found = (await ledger.projects.list()).filter(
    (project) => project.name === name || project.id === name,
  );
  if (found.length <= 1) return found[0];
  const places = found.map((project) => `${project.id} (${project.root ?? 'elsewhere'})`).join(', ');
  throw new FermataError('invalid', `Several projects are named "${name}": ${places}. Pass the id instead.`);
}
