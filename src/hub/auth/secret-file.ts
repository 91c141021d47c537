import { linkSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../files/write-at-once.ts';
import { newId, newSecret } from '../../ledger/ids.ts';
import { FermataError } from '../../schema/error.ts';

/** A secret of this hub: created at the first start and kept, readable only by its owner. */
export function ownSecret(home: string, name: 'token' | 'hub-key'): string {
  makeFolder(home);
  const path = join(home, name);
  return readSecret(path) ?? makeSecret(path);
}

function readSecret(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  const foreign = process.getuid !== undefined && found.uid !== process.getuid();
  if (!found.isFile() || foreign || (found.mode & 0o077) !== 0) {
    throw new FermataError(
      'invalid',
      `${path} must belong to you, and nobody else may be able to read it. Run "chmod 600 ${path}", or remove it to get a new one.`,
    );
  }
  const secret = readFileSync(path, 'utf8').trim();
  if (/^fermata_[\w-]{43}$/.test(secret)) return secret;
  throw new FermataError('invalid', `${path} contains no secret of Fermata. Remove it to get a new one.`);
}

/** Writes a temporary file, then links it atomically, so that two hubs that start together get the same secret. */
function makeSecret(path: string): string {
  const secret = newSecret();
  const draft = `${path}.${newId('draft')}`;
  try {
    writeFileSync(draft, `${secret}\n`, { mode: 0o600, flag: 'wx' });
    linkSync(draft, path);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readSecret(path) ?? makeSecret(path);
  } finally {
    rmSync(draft, { force: true });
  }
}
