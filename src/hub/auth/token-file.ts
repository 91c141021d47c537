import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../files/make-folder.ts';
import { newId } from '../../ledger/ids.ts';
import { FermataError } from '../../schema/error.ts';

/** The hub's own token: created at the first start and kept, readable only by its owner. */
export function ownToken(home: string): string {
  makeFolder(home);
  const path = join(home, 'token');
  return readToken(path) ?? makeToken(path);
}

function readToken(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  const foreign = process.getuid !== undefined && found.uid !== process.getuid();
  if (!found.isFile() || foreign || (found.mode & 0o077) !== 0) {
    throw new FermataError(
      'invalid',
      `${path} must belong to you, and nobody else may be able to read it. Run "chmod 600 ${path}", or remove it to get a new token.`,
    );
  }
  const token = readFileSync(path, 'utf8').trim();
  if (/^[\w-]{40,100}$/.test(token)) return token;
  throw new FermataError('invalid', `${path} contains no token. Remove it to get a new one.`);
}

/** Writes a temporary file, then links it atomically, so that two hubs that start together get the same token. */
function makeToken(path: string): string {
  const token = randomBytes(32).toString('base64url');
  const draft = `${path}.${newId('draft')}`;
  try {
    writeFileSync(draft, `${token}\n`, { mode: 0o600, flag: 'wx' });
    linkSync(draft, path);
    return token;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readToken(path) ?? makeToken(path);
  } finally {
    rmSync(draft, { force: true });
  }
}
