import * as z from 'zod';
import { By } from './actor.ts';

const commit = z.string().regex(/^[0-9a-f]{40,64}$/, 'use the full commit id');

/** A copy of a project's repository in which plans are run. All worktrees of a clone are the same clone. */
export const Clone = z.object({
  id: z.string().min(1).max(100),
  projectId: z.string(),
  /** The name of its machine, for people. */
  host: z.string().min(1).max(300),
  /** Git's common directory. */
  folder: z.string().min(1).max(4096),
  /** The first commits of its history; empty if it has no commits yet. */
  roots: z.array(commit).max(100),
  /** The remote through which it exchanges commits with other clones, without a password; null if it uses none. */
  remote: z
    .strictObject({ name: z.string().min(1).max(200), address: z.string().min(1).max(4096) })
    .nullable(),
  seenAt: z.string(),
});
export type Clone = z.infer<typeof Clone>;

export const CloneInput = Clone.omit({ seenAt: true }).strict();
export type CloneInput = z.infer<typeof CloneInput>;

/** An address from which clones of a project may come, because a person said so. */
export const AcceptedRemote = z.object({
  /** As `host/owner/name`: see `repositoryAt`. */
  address: z.string(),
  /** The first commits of the clone for which it was accepted. */
  roots: z.array(commit),
  by: By,
  at: z.string(),
});
export type AcceptedRemote = z.infer<typeof AcceptedRemote>;
