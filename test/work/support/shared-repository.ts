import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadSettings } from '../../../src/config/settings.ts';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.ts';
import type { RemoteContext } from '../../../src/work/worktrees/exchange/remote-context.ts';
import { joinProject } from '../../../src/work/worktrees/join-project.ts';
import { worktreeContextAt } from '../../../src/work/worktrees/worktree-context.ts';
import { perFile } from '../../support/per-file.ts';
import { agent, commit, freshPlace, removeHooks, sh } from './repository.ts';

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

/** Copied for each test, because creating it takes ten processes. */
const template = perFile(
  () => {
    const place = realpathSync(mkdtempSync(join(tmpdir(), 'fermata-template-')));
    const first = join(place, 'one');
    mkdirSync(first);
    sh(first, 'init', '-q', '-b', 'main');
    commit(first, 'first', { 'a.txt': 'one\ntwo\nthree\n' });
    sh(first, 'switch', '-q', '-c', 'login');
    const remote = join(place, 'shop.git');
    sh(place, 'clone', '-q', '--bare', first, remote);
    sh(first, 'remote', 'add', 'origin', remote);
    sh(place, 'clone', '-q', '--branch', 'login', remote, join(place, 'two'));
    for (const gitDir of gitDirs(place)) removeHooks(gitDir);
    return place;
  },
  (place) => rmSync(place, { recursive: true, force: true }),
);

const gitDirs = (place: string) => ['shop.git', 'one/.git', 'two/.git'].map((name) => join(place, name));

/** A bare repository with the branches `main` and `login`, and two clones that share a ledger. */
export async function sharedRepository(): Promise<SharedRepository> {
  const place = freshPlace();
  cpSync(template(), place, { recursive: true });
  const [remote, first, second] = [join(place, 'shop.git'), join(place, 'one'), join(place, 'two')];
  for (const gitDir of gitDirs(place)) {
    const file = join(gitDir, 'config');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(template(), place));
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
