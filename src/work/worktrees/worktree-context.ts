import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { personalConfig } from '../../config/personal-config.ts';
import { findRepository, type Repository } from '../../config/repository.ts';
import type { Settings } from '../../config/settings.ts';
import { realPath } from '../../files/real-path.ts';
import type { Remote } from '../../git/remote/address.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { By } from '../../schema/actor.ts';
import { isServer } from '../../schema/address.ts';
import { Refusal } from '../../schema/refusal.ts';

/** Where worktrees are managed: the repository around a folder, and the project's records. */
export interface WorktreeContext {
  ledger: Ledger;
  projectId: string;
  by: By;
  /** The top of the checkout that the caller is in. */
  top: string;
  /** Git's common directory. */
  commonDir: string;
  /** The project's storage outside the repository. */
  storage: string;
  /** Called with exclusive access to worktrees: throws if the caller may not continue, for example after its lease expired. */
  confirm?(): Promise<unknown>;
  /** The person's settings for a remote, and whether others share the project's ledger. */
  remoteSettings: { wanted: string | undefined; isShared: boolean };
  /** The remote for exchanging commits with other clones; see `joinProject`. */
  remote?: Remote;
  /** The fence of the caller's claim. */
  fence?: number;
  /** Ends what waits for the remote. */
  signal?: AbortSignal;
  /** Reports something that a person may want to know. */
  tell?(sentence: string): void;
}

export function worktreeContextAt(
  folder: string,
  settings: Settings,
  { ledger, projectId, by }: Pick<WorktreeContext, 'ledger' | 'projectId' | 'by'>,
): WorktreeContext {
  const repository = requireRepository(folder);
  const storage = join(settings.home.value, 'projects', projectId);
  return {
    ledger,
    projectId,
    by,
    top: realPath(repository.top),
    commonDir: repository.commonDir,
    storage,
    remoteSettings: {
      wanted: settings.remote?.value ?? personalConfig(process.env).remote,
      isShared: isServer(settings.store.value),
    },
  };
}

/** The repository around a folder; throws if there is none, or only a bare one. */
export function requireRepository(folder: string): Repository {
  const repository = findRepository(folder);
  if (repository) return repository;
  throw new Refusal('no_repository', `${folder} is not in a git checkout.`, {
    suggestion: 'Change to a git repository, or create one with "git init".',
    code: 'invalid',
  });
}

/** A folder name for a branch: readable, and unique for each branch and each clone of the repository. */
export function folderNameOf(branch: string, commonDir: string): string {
  const readable = branch.replaceAll(/[^\p{L}\p{N}.-]+/gu, '-').replace(/^[.-]+/, '');
  const hash = createHash('sha256').update(`${commonDir}\0${branch}`).digest('hex').slice(0, 12);
  return `${[...readable].slice(0, 60).join('') || 'worktree'}-${hash}`;
}
