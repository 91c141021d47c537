import { hkdfSync } from 'node:crypto';
import { FermataError } from '../../schema/error.ts';
import { ownSecret } from '../auth/secret-file.ts';

/** Signs answer links. Derived from the hub's key, which is never in the ledger: a backup or a reader could sign links. */
export interface LinkKey {
  /** Names the key in each link, and reveals nothing about it. */
  id: string;
  secret: Buffer;
}

/** `shared` is the key that all hubs of a team are given; without it, each has its own. */
export function readLinkKey(home: string, shared: string | undefined): LinkKey {
  const hubKey = shared ? requireStrong(shared) : ownSecret(home, 'hub-key');
  const derive = (what: string, bytes: number) => Buffer.from(hkdfSync('sha256', hubKey, '', what, bytes));
  return {
    id: derive('answer links: id', 6).toString('base64url'),
    secret: derive('answer links: signature', 32),
  };
}

function requireStrong(key: string): string {
  if (key.length >= 32) return key;
  throw new FermataError(
    'invalid',
    'FERMATA_KEY is too short. Use at least 32 random characters, for example those of "openssl rand -base64 32".',
  );
}
