import * as z from 'zod';
import { limits } from './limits.ts';

/** `alternative`: kept next to the merged variant. `archived`: discarded; its content is on the archive branch. */
export const WorktreeState = z.enum(['active', 'merged', 'alternative', 'archived']);
export type WorktreeState = z.infer<typeof WorktreeState>;

/** A separate checkout for one phase (or one variant of it), on its own branch. */
export const Worktree = z.object({
  id: z.string(),
  projectId: z.string(),
  branch: z.string(),
  /** Its folder on the machine that made it; null once the folder was removed. */
  path: z.string().nullable(),
  /** What it is merged into. */
  featureBranch: z.string(),
  /** The plan's folder, relative to the main checkout if it is inside it. */
  plan: z.string().nullable(),
  phase: z.string().nullable(),
  variant: z.string().nullable(),
  /** Where the branch began. */
  baseCommit: z.string(),
  state: WorktreeState,
  /** The branch that keeps its content, set when the worktree is about to be discarded. */
  archiveRef: z.string().nullable(),
  /** A commit of the feature branch that contains it, set when it is merged. */
  mergeCommit: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Worktree = z.infer<typeof Worktree>;

const name = z.string().min(1).max(1000);

export const WorktreeInput = z.strictObject({
  projectId: z.string(),
  branch: name,
  path: z.string().min(1).max(4096),
  featureBranch: name,
  plan: z.string().min(1).max(4096).nullable(),
  phase: z.string().min(1).max(limits.id).nullable(),
  variant: z.string().min(1).max(limits.id).nullable(),
  baseCommit: z.string().regex(/^[0-9a-f]{40,64}$/, 'use the full commit id'),
});
export type WorktreeInput = z.infer<typeof WorktreeInput>;
