import { isDeepStrictEqual } from 'node:util';
import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import { type Worktree, WorktreeInput, type WorktreeState } from '../../schema/worktree.ts';
import { check } from '../check.ts';
import type { Store, Tx } from '../engine/store.ts';
import { iso } from '../engine/stored.ts';
import type { WorktreeRow } from '../engine/tables.ts';
import { newId } from '../ids.ts';
import {
  insertWorktree,
  selectWorktree,
  selectWorktreeAt,
  selectWorktrees,
  updateWorktree,
} from './worktree-sql.ts';

/** What may change in a record; missing fields stay. */
export interface WorktreeChange {
  state?: WorktreeState;
  archiveRef?: string;
  /** Null: the folder is gone. */
  path?: string | null;
  /** A commit of the feature branch that it contains. */
  baseCommit?: string;
  /** A commit of the feature branch that contains it. */
  mergeCommit?: string;
}

/** Which worktree belongs to which phase of which plan, and its state. */
export class WorktreeRegister {
  readonly #store: Store;

  /** @internal */
  constructor(store: Store) {
    this.#store = store;
  }

  /** Records a worktree, or reactivates the record of its branch. Its base stays the same. */
  async record(input: WorktreeInput, by: By): Promise<Worktree> {
    const given = check(WorktreeInput, input, 'Worktree');
    return this.#store.write(given.projectId, async (tx) => {
      const known = await selectWorktree(tx, given.projectId, given.branch);
      const row: WorktreeRow = {
        id: known?.id ?? newId('w'),
        project_id: given.projectId,
        branch: given.branch,
        path: given.path,
        feature_branch: given.featureBranch,
        plan: given.plan ?? known?.plan ?? null,
        phase: given.phase ?? known?.phase ?? null,
        variant: given.variant ?? known?.variant ?? null,
        base_commit: known?.base_commit ?? given.baseCommit,
        state: 'active',
        archive_ref: null,
        merge_commit: null,
        created_at: known?.created_at ?? tx.now,
        updated_at: tx.now,
      };
      if (known && isSame(known, row)) return toWorktree(known);
      await (known ? updateWorktree(tx, row) : insertWorktree(tx, row));
      return tell(tx, row, by);
    });
  }

  /** Changes the record of a branch; repeating a change has no effect. */
  change(projectId: string, branch: string, change: WorktreeChange, by: By): Promise<Worktree> {
    return this.#store.write(projectId, async (tx) => {
      const known = await selectWorktree(tx, projectId, branch);
      if (!known) throw unknownWorktree(branch);
      const state = change.state ?? known.state;
      requireStep(branch, known.state, state);
      const row: WorktreeRow = {
        ...known,
        state,
        path: change.path === undefined ? known.path : change.path,
        archive_ref: change.archiveRef ?? known.archive_ref,
        base_commit: change.baseCommit ?? known.base_commit,
        merge_commit: change.mergeCommit ?? known.merge_commit,
        updated_at: tx.now,
      };
      if (isSame(known, row)) return toWorktree(known);
      await updateWorktree(tx, row);
      return tell(tx, row, by);
    });
  }

  /** The record of a branch, unless it was archived. */
  async find(projectId: string, branch: string): Promise<Worktree | undefined> {
    const row = await selectWorktree(this.#store.reader, projectId, branch);
    return row && toWorktree(row);
  }

  /** The record of the worktree with this top folder, unless it was archived. */
  async findAt(projectId: string, path: string): Promise<Worktree | undefined> {
    const row = await selectWorktreeAt(this.#store.reader, projectId, path);
    return row && toWorktree(row);
  }

  /** All of a project, oldest first, archived ones too. */
  async list(projectId: string): Promise<Worktree[]> {
    return (await selectWorktrees(this.#store.reader, projectId)).map(toWorktree);
  }
}

function tell(tx: Tx, row: WorktreeRow, by: By): Worktree {
  const worktree = toWorktree(row);
  const { id, branch, featureBranch, state, phase, variant, archiveRef } = worktree;
  tx.emit({
    type: 'worktree.updated',
    by,
    data: { id, branch, featureBranch, state, phase, variant, archiveRef },
  });
  return worktree;
}

function isSame(one: WorktreeRow, other: WorktreeRow): boolean {
  return isDeepStrictEqual({ ...one, updated_at: 0 }, { ...other, updated_at: 0 });
}

function unknownWorktree(branch: string): FermataError {
  return new FermataError('not_found', `There is no worktree of branch ${branch} on record in this project.`);
}

/** The allowed transitions. Work continues in a merged worktree or an alternative when its phase is reopened. */
const next: Record<WorktreeState, readonly WorktreeState[]> = {
  active: ['active', 'merged', 'alternative', 'archived'],
  merged: ['merged', 'active', 'archived'],
  alternative: ['alternative', 'active', 'archived'],
  archived: ['archived'],
};

function requireStep(branch: string, from: WorktreeState, to: WorktreeState): void {
  if (next[from].includes(to)) return;
  throw new FermataError(
    'conflict',
    `The worktree of ${branch} is ${from}, so it cannot become ${to}. It can become ${next[from].join(' or ')}.`,
  );
}

function toWorktree(row: WorktreeRow): Worktree {
  return {
    id: row.id,
    projectId: row.project_id,
    branch: row.branch,
    path: row.path,
    featureBranch: row.feature_branch,
    plan: row.plan,
    phase: row.phase,
    variant: row.variant,
    baseCommit: row.base_commit,
    state: row.state,
    archiveRef: row.archive_ref,
    mergeCommit: row.merge_commit,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  };
}
