import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lockProblems, uncheckedPlatformPackages } from '../../scripts/lockfile.mjs';

const integrity = 'sha512-x';

it.each(['', 'test/agents/clis'])('npm ci accepts the lock file in ./%s everywhere', (folder) => {
  const text = readFileSync(join(import.meta.dirname, '../..', folder, 'package-lock.json'), 'utf8');
  expect(lockProblems(JSON.parse(text))).toEqual([]);
});

it('a lock file without a platform package, or with the address of a registry, is refused', () => {
  const packages = {
    'node_modules/a': {
      integrity,
      optionalDependencies: {
        'a-darwin': '1.0.0',
        'a-linux': '1.0.0',
        'a-range': '^1.0.0',
        'a-win32': 'npm:a@1.0.0-win32',
      },
    },
    'node_modules/a/node_modules/a-linux': { integrity },
    'node_modules/b': { integrity, resolved: 'https://registry.example/b.tgz' },
  };
  expect(lockProblems({ packages })).toEqual([
    expect.stringContaining('node_modules/a: no lock entry for a-darwin@1.0.0'),
    expect.stringContaining('node_modules/a: no lock entry for a-win32@npm:a@1.0.0-win32'),
    expect.stringContaining('node_modules/b: "resolved" names a host'),
  ]);
});

it('a platform package of a nested package is found in any node_modules on the way up', () => {
  const packages = {
    'node_modules/a/node_modules/b': { integrity, optionalDependencies: { c: '1.0.0' } },
    'node_modules/a/node_modules/c': { integrity },
    'node_modules/d/node_modules/e': { integrity, optionalDependencies: { f: '1.0.0' } },
    'node_modules/f': { integrity },
  };
  expect(lockProblems({ packages })).toEqual([]);
});

it('a package without a checksum is refused, unless it is for another platform, which is named', () => {
  const packages = { '': {}, 'node_modules/a': {}, 'node_modules/b/node_modules/@c/d': { os: ['darwin'] } };
  expect(lockProblems({ packages })).toEqual([expect.stringContaining('node_modules/a: no integrity')]);
  expect(uncheckedPlatformPackages({ packages })).toEqual(['@c/d']);
});
