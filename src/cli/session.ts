import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { didYouMean } from '../config/near.ts';
import { folderProjectId, loadSettings, type Settings } from '../config/settings.ts';
import { parseHilConfig } from '../ledger/autonomy.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import type { Actor, By, Channel } from '../schema/actor.ts';
import type { Config } from '../schema/config.ts';
import { FermataError } from '../schema/error.ts';
import type { Project } from '../schema/project.ts';
import type { CommonOptions } from './command.ts';
import { isNamedAnew, refuseNamedAnew } from './named-store.ts';
import { tell } from './output.ts';

/** What a command works with: the open ledger, the settings of this folder, and who is acting. */
export interface Session {
  ledger: Ledger;
  settings: Settings;
  by(channel: Channel): By;
  /** The project of this folder, made known to the ledger. */
  project(): Promise<Project>;
  /** The project of this folder where it is one already; undefined outside. A wrong `--project` is refused. */
  knownProject(): Promise<Project | undefined>;
  /** Whose questions are meant here: one project's, or everybody's outside of one. */
  inboxProject(): Promise<{ id: string; name: string } | undefined>;
}

/** Opens the ledger for the length of one command; where somebody names a new one, it says that it makes it. */
export async function withSession<T>(
  options: CommonOptions,
  run: (session: Session) => Promise<T>,
): Promise<T> {
  const settings = loadSettings(process.cwd(), process.env, options);
  const anew = isNamedAnew(settings);
  const ledger = await openLedger(settings.store.value);
  if (anew) tell(`A new ledger was made: ${settings.store.value} (${settings.store.from}).`);
  return during(ledger, settings, run);
}

/** The same for a command that has nothing to do in a new ledger: one that is not there is not made, but refused. */
export async function withKnownLedger<T>(
  options: CommonOptions,
  run: (session: Session) => Promise<T>,
): Promise<T> {
  const settings = loadSettings(process.cwd(), process.env, options);
  refuseNamedAnew(settings);
  return during(await openLedger(settings.store.value), settings, run);
}

async function during<T>(
  ledger: Ledger,
  settings: Settings,
  run: (session: Session) => Promise<T>,
): Promise<T> {
  try {
    const knownProject = async () => (await findProject(ledger, settings)) ?? refuseUnknown(ledger, settings);
    const { declared, id, name } = settings.project.value;
    return await run({
      ledger,
      settings,
      by: (channel) => ({ actor: currentActor(), channel }),
      project: () => openProject(ledger, settings),
      knownProject,
      inboxProject: async () => (await knownProject()) ?? (declared ? { id, name } : undefined),
    });
  } finally {
    await ledger.close();
  }
}

/** A process that Fermata started carries the name of its agent; everybody else is a person. */
export function currentActor(): Actor {
  const agent = process.env.FERMATA_AGENT;
  if (agent) return { kind: 'agent', name: agent.slice(0, 200) };
  return { kind: 'person', name: personName() };
}

/** Whose account this is, whoever acts in it. */
export function personName(): string {
  return (process.env.FERMATA_USER || userName()).slice(0, 200);
}

async function openProject(ledger: Ledger, settings: Settings): Promise<Project> {
  const known = await findProject(ledger, settings);
  const { id, name, root } = settings.project.value;
  const project = known ?? (await ledger.projects.ensure({ id, name, root }));
  const fromFile = hilConfigFor(settings);
  // An agent may have written that file.
  if (currentActor().kind === 'agent') return project;
  if (fromFile === undefined || isInForce(fromFile, project)) return project;
  const by: By = { actor: { kind: 'policy', name: 'fermata.config.json' }, channel: 'ledger' };
  const hilConfig = await ledger.projects.setHilConfig(project.id, fromFile, by);
  return { ...project, hilConfig };
}

/** What the file of this folder decides; nothing about a project of another folder that somebody named. */
export function hilConfigFor(settings: Settings): Config['hilConfig'] {
  const elsewhere =
    isNamedByPerson(settings) && settings.project.value.name !== settings.file?.config.project;
  return elsewhere ? undefined : settings.hilConfig?.value;
}

function isInForce(fromFile: Config['hilConfig'], { hilConfig }: Project): boolean {
  return (
    hilConfig !== null && JSON.stringify(parseHilConfig(fromFile, hilConfig)) === JSON.stringify(hilConfig)
  );
}

async function findProject(ledger: Ledger, settings: Settings): Promise<Project | undefined> {
  const { id, name, root, declared } = settings.project.value;
  const known = await ledger.projects.find(id);
  if (known) return known;
  if (isNamedByPerson(settings)) return findByName(ledger, name);
  if (declared) return undefined;
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder)) {
    const around = await ledger.projects.find(folderProjectId(folder));
    if (around) return around;
  }
  return undefined;
}

const isNamedByPerson = ({ project }: Settings) => ['--project', 'FERMATA_PROJECT'].includes(project.from);

/** A person knows a project of another folder by its name or id. */
async function findByName(ledger: Ledger, name: string): Promise<Project | undefined> {
  const found = (await ledger.projects.list()).filter(
    (project) => project.name === name || project.id === name,
  );
  if (found.length <= 1) return found[0];
  const places = found.map((project) => `${project.id} (${project.root ?? 'elsewhere'})`).join(', ');
  throw new FermataError(
    'invalid',
    `There are several projects named "${name}": ${places}. Give the id instead.`,
  );
}

async function refuseUnknown(ledger: Ledger, { project }: Settings): Promise<undefined> {
  if (project.from !== '--project') return undefined;
  const names = (await ledger.projects.list()).map((known) => known.name);
  const some =
    names.length > 0 ? ` Known here: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}.` : '';
  throw new FermataError(
    'not_found',
    `There is no project "${project.value.name}" in this ledger.${didYouMean(project.value.name, names)}${some}`,
  );
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without an entry in the password database, as in many containers.
    return process.env.USER || `uid ${process.getuid?.() ?? '?'}`;
  }
}
