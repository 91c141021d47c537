import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownSecret } from '../../../src/hub/auth/secret-file.ts';
import { freshFolder } from '../../support/fermata.ts';

describe.each(['token', 'hub-key'] as const)('the file %s (HUB-3, BIND-23)', (name) => {
  it('is created once, for its owner alone', () => {
    const home = join(freshFolder(), 'home');
    const secret = ownSecret(home, name);
    expect(ownSecret(home, name)).toBe(secret);
    expect(statSync(join(home, name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(home, name), 'utf8')).toBe(`${secret}\n`);
  });

  it('is refused if others can read it, or if it contains no secret', () => {
    const home = join(freshFolder(), 'home');
    ownSecret(home, name);
    chmodSync(join(home, name), 0o644);
    expect(() => ownSecret(home, name)).toThrow(/chmod 600/);
    chmodSync(join(home, name), 0o600);
    writeFileSync(join(home, name), 'short');
    expect(() => ownSecret(home, name)).toThrow(/no secret/);
  });
});
