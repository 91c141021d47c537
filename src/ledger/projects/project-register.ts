import type { By } from '../../schema/actor.ts';
import type { HilConfig } from '../../schema/autonomy.ts';
import { nameOf } from '../../schema/name.ts';
import type { Project } from '../../schema/project.ts';
import { refuseAgent } from '../access/refuse-agent.ts';
import { check } from '../check.ts';
import { type HilLevels, parseHilLevels, selectHilLevels } from '../decisions/autonomy.ts';
import { update } from '../engine/statements.ts';
import type { Store } from '../engine/store.ts';
import { iso, noCursor } from '../engine/stored.ts';
import type { ProjectRow } from '../engine/tables.ts';
import { insertProject, selectProject, selectProjects, unknownProject } from './project-sql.ts';

/** That of a folder or a remote's path. */
const MAX_NAME = 4096;

/** The known projects, and how much each lets its agents do alone. */
export class ProjectRegister {
  readonly #store: Store;

  /** @internal */
  constructor(store: Store) {
    this.#store = store;
  }

  /** Adds the project if it is not known yet. */
  async ensure({ id, name, root }: { id: string; name: string; root: string | null }): Promise<Project> {
    const known = await this.find(id);
    if (known) return known;
    const counters = { last_event: 0, last_task: 0, created_at: Date.now() };
    const row = { id, name: check(nameOf(MAX_NAME), name, 'Project'), root, hil_config: null, ...counters };
    const [added] = await this.#store.write(null, (runner) => insertProject(runner, row));
    return added ? toProject(added) : this.get(id);
  }

  async find(id: string): Promise<Project | undefined> {
    const [row] = await selectProject(this.#store.reader, id);
    return row && toProject(row);
  }

  async get(id: string): Promise<Project> {
    const project = await this.find(id);
    if (!project) throw unknownProject(id);
    return project;
  }

  /** By name, all of them without a limit; `after` is the id of the last one the caller has. */
  async list(limit?: number, after?: string): Promise<Project[]> {
    const last = after === undefined ? undefined : await this.find(after);
    if (after !== undefined && !last) throw noCursor(after);
    return (await selectProjects(this.#store.reader, { limit, after: last })).map(toProject);
  }

  /**
   * Runs `work` while nobody else changes anything in this project, for changes outside the ledger that must not overlap.
   * It has to be quick.
   */
  exclusively<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#store.write(id, () => work(), { once: true });
  }

  async hilConfig(id: string): Promise<HilConfig> {
    return (await this.hilLevels(id)).value;
  }

  /** The levels, with the origin of each. */
  hilLevels(id: string): Promise<HilLevels> {
    return selectHilLevels(this.#store.reader, id);
  }

  /** Sets a preset, or some of the levels, permanently; they take precedence over any file. The rest stays. */
  async setHilConfig(id: string, input: unknown, by: By): Promise<HilConfig> {
    refuseAgent(by, 'change its own autonomy');
    return this.#store.write(id, async (tx) => {
      const { value, own } = await selectHilLevels(tx, id);
      const levels = parseHilLevels(input);
      const [before, after] = [own, { ...own, ...levels }].map((each) => JSON.stringify(each));
      const hilConfig = { ...value, ...levels };
      if (before === after) return hilConfig;
      await update(tx, 'projects', { hil_config: after ?? '' }, { id });
      tx.emit({ type: 'settings.updated', by, data: { hilConfig } });
      return hilConfig;
    });
  }
}

function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    name: row.name,
    root: row.root,
    hilConfig: row.hil_config === null ? null : JSON.parse(row.hil_config),
    lastEvent: row.last_event,
    createdAt: iso(row.created_at),
  };
}
