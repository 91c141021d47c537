import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadSettings } from '../../../src/config/settings.ts';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.ts';
import { joinProject } from '../../../src/work/projects/join-project.ts';
import type { RemoteContext } from '../../../src/work/worktrees/exchange/remote-context.ts';
import { worktreeContextAt } from '../../../src/work/worktrees/worktree-context.ts';
import { agent, commit, freshPlace, initRepository, sh, template } from './repository.ts';

export interface SharedRepository {
  /** The bare repository that all clones push to. */
  remote: string;
  ledger: Ledger;
  /** Two clones with the branch `login` checked out, each with a home of its own. */
  one: TestClone;
  two: TestClone;
}

interface TestClone {
  folder: string;
  /** As a worker with this claim. */
  at(fence?: number): Promise<RemoteContext>;
}

const clones = template((place) => {
  const [remote, first, second] = [join(place, 'shop.git'), join(place, 'one'), join(place, 'two')];
  initRepository(first);
  commit(first, 'first', { 'a.txt': 'one\ntwo\nthree\n' });
  sh(first, 'switch', '-q', '-c', 'login');
  sh(place, 'clone', '-q', '--template=', '--bare', first, remote);
  sh(first, 'remote', 'add', 'origin', remote);
  sh(place, 'clone', '-q', '--template=', '--branch', 'login', remote, second);
});

const gitDirs = (place: string) => ['shop.git', 'one/.git', 'two/.git'].map((name) => join(place, name));

/** A bare repository with the branches `main` and `login`, and two clones that share a ledger. */
export async function sharedRepository(): Promise<SharedRepository> {
  const place = freshPlace();
  cpSync(clones(), place, { recursive: true });
  const [remote, first, second] = [join(place, 'shop.git'), join(place, 'one'), join(place, 'two')];
  for (const gitDir of gitDirs(place)) {
    const file = join(gitDir, 'config');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(clones(), place));
  }
  const ledger = await openLedger(join(place, 'ledger.db'), {});
  onTestFinished(() => ledger.close());
  await ledger.projects.ensure({ id: 'p-shop', name: 'shop', root: null });
  const clone = (folder: string, home: string): TestClone => ({
    folder,
    at: async (fence) => {
      const settings = loadSettings(folder, { FERMATA_HOME: join(place, home) }, { remote: 'origin' });
      const context = worktreeContextAt(folder, settings, { ledger, projectId: 'p-shop', by: agent });
      const joined = await joinProject({ ...context, ...(fence === undefined ? {} : { fence }) });
      return joined as RemoteContext;
    },
  });
  return { remote, ledger, one: clone(first, 'home-1'), two: clone(second, 'home-2') };
}
