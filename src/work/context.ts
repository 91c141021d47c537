import { type Flags, loadSettings, type Settings } from '../config/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { By } from '../schema/actor.ts';
import type { Notification } from '../schema/notification.ts';
import type { Project } from '../schema/project.ts';
import { type LoadSettings, openFolder, openProject } from './projects/folder-project.ts';
import type { Report } from './report.ts';

/** What every use case works with. */
export interface Context {
  ledger: Ledger;
  settings: Settings;
  /** The working folder. */
  cwd: string;
  env: Record<string, string | undefined>;
  /** True if other work runs in this process, so its environment must not change. */
  isShared?: boolean;
  /** On whose behalf it acts. */
  who: By;
  /** The project of the folder, recorded in the ledger. */
  project(): Promise<Project>;
  /** The person who is present; without one, questions wait in the inbox. */
  ask?: Asker;
  /** Called with what a person may want to know while it runs. */
  report(event: Report): void;
  /** Set if a worker does the work, because another machine may have to continue it. */
  held?: HeldWork;
}

/** A task, as the worker that holds it sees it. */
interface HeldWork {
  /** Called when it starts or stops waiting for a person. */
  onHold(waits: boolean): void;
  /** Throws if this worker no longer holds it. */
  confirm(): Promise<unknown>;
  /** Moves the result to where people find it, before the task ends. Safe to repeat. */
  publish(): Promise<void>;
}

/** Lets an agent wait for people without occupying a slot of its worker. */
export const holding = (held: Context['held']): Partial<Pick<HeldWork, 'onHold' | 'confirm'>> =>
  held ? { onHold: held.onHold, confirm: held.confirm } : {};

/** The questions that a piece of work waits for. */
export interface Concern {
  projectId: string;
  /** The plan. `task` is set instead if there is no plan. */
  plan?: string;
  task?: string;
  concerns(notification: Notification): boolean;
}

/** A person who can be asked during the work. */
export interface Asker {
  /** Asks these now, one after another; throws if the person interrupts it. Missing if nobody can be asked here. */
  now?(asked: Notification[]): Promise<void>;
  /** Asks the questions that come up while `work` runs. */
  during?<T>(concern: Concern, work: () => Promise<T>): Promise<T>;
  /** Whether to keep waiting when everything left waits for an answer. */
  stays?(concern: Concern): boolean | Promise<boolean>;
}

export interface ContextOptions extends Flags {
  cwd?: string;
  env?: Record<string, string | undefined>;
  /** The person on whose behalf it acts. */
  name: string;
  ask?: Asker;
  report?(event: Report): void;
  /** The project for which people trust the folder's configuration (default: the folder's own). */
  own?: Pick<Project, 'id' | 'name'>;
}

/**
 * A context for a folder, with the settings that apply there and the trusted version of its `fermata.config.json`.
 *
 * @example const context = await openContext(ledger, { cwd: '/home/me/shop', name: 'Ada' });
 */
export async function openContext(ledger: Ledger, options: ContextOptions): Promise<Context> {
  const { cwd = process.cwd(), env = process.env, name, ask, report = () => undefined } = options;
  const load: LoadSettings = (config, joined) => {
    const settings = loadSettings(cwd, env, options, config, joined);
    return options.own ? { ...settings, own: { ...settings.own, ...options.own } } : settings;
  };
  const who: By = { actor: { kind: 'person', name }, channel: 'command' };
  const tell = (text: string) => report({ kind: 'notice', text });
  const visitor = { ledger, by: who, tell };
  const folder = await openFolder(visitor, load);
  return {
    ...{ ledger, settings: folder.settings, cwd, env, report, who },
    project: () => openProject(visitor, folder),
    ...(ask ? { ask } : {}),
  };
}
