import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownToken } from '../../../src/hub/auth/token-file.ts';
import { freshFolder } from '../../support/fermata.ts';

describe('the token file (HUB-3)', () => {
  it('is created once, for its owner alone', () => {
    const home = join(freshFolder(), 'home');
    const token = ownToken(home);
    expect(ownToken(home)).toBe(token);
    expect(statSync(join(home, 'token')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(home, 'token'), 'utf8')).toBe(`${token}\n`);
  });

  it('is refused if others can read it, or if it contains no token', () => {
    const home = join(freshFolder(), 'home');
    ownToken(home);
    chmodSync(join(home, 'token'), 0o644);
    expect(() => ownToken(home)).toThrow(/chmod 600/);
    chmodSync(join(home, 'token'), 0o600);
    writeFileSync(join(home, 'token'), 'short');
    expect(() => ownToken(home)).toThrow(/no token/);
  });
});
