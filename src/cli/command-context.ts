import { userInfo } from 'node:os';
import { didYouMean } from '../config/near.ts';
import { isNamedByPerson, loadSettings, type Settings } from '../config/settings.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import type { Actor, By, Channel } from '../schema/actor.ts';
import { cmd } from '../schema/command-line.ts';
import { FermataError } from '../schema/error.ts';
import { limits } from '../schema/limits.ts';
import type { Project } from '../schema/project.ts';
import {
  type Folder,
  type FolderVisitor,
  findProject,
  findProjectNamed,
  type LoadSettings,
  openFolder,
  openProject,
} from '../work/projects/folder-project.ts';
import type { CommonOptions } from './command.ts';
import { interruption } from './interrupt.ts';
import { isNewStore, refuseNewStore } from './named-store.ts';
import { tell } from './output.ts';
import type { TrustOptions } from './trust/trust-options.ts';

/** What a command works with: the open ledger, the settings of this folder, and who is acting. */
export interface CommandContext {
  ledger: Ledger;
  settings: Settings;
  by(channel: Channel): By;
  /** The project of this folder, recorded in the ledger. */
  project(): Promise<Project>;
  /** The project of this folder if it is already known; undefined outside one. Refuses a wrong `--project`. */
  knownProject(): Promise<Project | undefined>;
  /** Whose questions to show: those of one project, or of all projects outside a project. */
  inboxProject(): Promise<{ id: string; name: string } | undefined>;
}

/** How long a command waits for an unavailable PostgreSQL. */
const PATIENCE_MS = 10 * 60_000;

/** Opens the ledger for one command; if a person names a new one, reports that it is created. */
export async function withCommandContext<T>(
  options: CommonOptions & TrustOptions,
  run: (context: CommandContext) => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const settings = loadSettings(process.cwd(), process.env, options);
  const isNew = isNewStore(settings);
  const ledger = await openPatiently(settings, patienceMs);
  if (isNew) tell(`Created a new ledger: ${settings.store.value} (${settings.store.from}).`);
  return during(ledger, options, run);
}

/** Like `withCommandContext`, for a command that has nothing to do in a new ledger: refuses one that does not exist. */
export async function withKnownLedger<T>(
  options: CommonOptions,
  run: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const settings = loadSettings(process.cwd(), process.env, options);
  refuseNewStore(settings);
  return during(await openPatiently(settings), options, run);
}

/**
 * Like `withCommandContext`, for a command that runs or follows contents of the repository: its configuration must be
 * trusted first. An agent gets the last trusted configuration, even if it has changed the file.
 */
export async function withTrustedCommandContext<T>(
  options: CommonOptions & TrustOptions,
  run: (context: CommandContext) => Promise<T>,
): Promise<T> {
  return withCommandContext(options, async (context) => {
    const { ledger, settings } = context;
    const { file, own } = settings;
    if (!file || currentActor().kind === 'agent') return run(context);
    const [{ requireTrust }, { configContents, ineffective }] = await Promise.all([
      import('./trust/require-trust.ts'),
      import('../work/trust/gather.ts'),
    ]);
    if (file.problem !== undefined) tell(ineffective(file.problem));
    if (settings.clone) await context.project(); // before its project gets a question
    await requireTrust(context, own, configContents(file), options);
    return run(await openCommandContext(ledger, options));
  });
}

const openPatiently = ({ store }: Settings, ms = PATIENCE_MS) =>
  openLedger(store.value, process.env, { ms, tell, signal: interruption });

async function during<T>(
  ledger: Ledger,
  options: CommonOptions & TrustOptions,
  run: (context: CommandContext) => Promise<T>,
): Promise<T> {
  try {
    return await run(await openCommandContext(ledger, options));
  } finally {
    await ledger.close();
  }
}

async function openCommandContext(
  ledger: Ledger,
  options: CommonOptions & TrustOptions,
): Promise<CommandContext> {
  const visitor = { ledger, by: currentBy('command'), tell };
  const folder = await settledFolder(visitor, options);
  const { settings } = folder;
  const knownProject = async () => (await findProject(visitor, folder)) ?? refuseUnknown(ledger, settings);
  const { declared, id, name } = settings.project.value;
  return {
    ledger,
    settings,
    by: currentBy,
    project: () => openProject(visitor, folder),
    knownProject,
    inboxProject: async () => (await knownProject()) ?? (declared ? { id, name } : undefined),
  };
}

/** Uses only the trusted version of the repository's file. Asks nobody, and lets no agent change what is trusted. */
async function settledFolder(visitor: FolderVisitor, options: CommonOptions & TrustOptions): Promise<Folder> {
  const load: LoadSettings = (config, joined) =>
    loadSettings(process.cwd(), process.env, options, config, joined);
  const opened = await openFolder(visitor, load);
  if (opened.stranger || visitor.by.actor.kind === 'agent') return opened;
  const { file, own } = opened.settings;
  const isAsTrusted = !file || (await visitor.ledger.trust.find(own.id, 'config'))?.content === file.text;
  const settle = isAsTrusted ? undefined : await import('./trust/settle-config.ts');
  const isSettled = await settle?.settleConfig(visitor, opened.settings, options);
  const folder = isSettled ? await openFolder(visitor, load) : opened;
  const { settings } = folder;
  if (settings.config.project !== undefined && !isNamedByPerson(settings))
    await (await import('./trust/settle-config.ts')).settleNamedProject(visitor, settings);
  const named = file?.config.project;
  if (named !== undefined && named !== settings.config.project && !isNamedByPerson(settings))
    tell(
      `${file?.path} sets the project "${named}", but you have not trusted that file yet. Run "${cmd`trust`}".`,
    );
  return folder;
}

/** An agent of a run also says which task it works on. */
function currentBy(channel: Channel): By {
  const actor = currentActor();
  const task = process.env.FERMATA_TASK;
  return { actor, channel, ...(actor.kind === 'agent' && task ? { task: task.slice(0, limits.id) } : {}) };
}

/** A process that Fermata started carries its agent's name; anyone else is a person. */
export function currentActor(): Actor {
  const agent = process.env.FERMATA_AGENT;
  if (agent) return { kind: 'agent', name: agent.slice(0, 200) };
  return { kind: 'person', name: personName() };
}

/**
 * Throws for the agent of a session that a person started themselves: its commands carry the program's mark. A hostile agent can
 * remove it; a confused one does not answer its own question.
 */
export function refuseOwnSession(env: NodeJS.ProcessEnv = process.env): void {
  if (!env.CLAUDECODE) return;
  throw new FermataError(
    'forbidden',
    'This is a command of an agent: Claude Code started it. Answer in a terminal of your own, or on the page.',
  );
}

/** The owner of this account, whoever acts in it. */
export function personName(): string {
  return (process.env.FERMATA_USER || userName()).slice(0, 200);
}

/** The project that a person names; throws if there is none. */
export async function requireProjectNamed(ledger: Ledger, name: string): Promise<Project> {
  return (await findProjectNamed(ledger, name)) ?? refuseProject(ledger, name);
}

async function refuseUnknown(ledger: Ledger, { project }: Settings): Promise<undefined> {
  return project.from === '--project' ? refuseProject(ledger, project.value.name) : undefined;
}

async function refuseProject(ledger: Ledger, name: string): Promise<never> {
  const names = (await ledger.projects.list()).map((known) => known.name);
  const some =
    names.length > 0
      ? ` Known projects: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}.`
      : '';
  throw new FermataError(
    'not_found',
    `There is no project "${name}" in this ledger.${didYouMean(name, names)}${some}`,
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
