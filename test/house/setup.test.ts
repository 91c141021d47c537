import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unmet } from '../../bin/requirements.cjs';
import { contentHash, satisfiesLock } from '../../scripts/setup.mjs';
import { withLock } from '../../scripts/setup-lock.mjs';

const onWait = () => undefined;
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fermata-setup-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('set-up', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0', '24.21.0'])('takes Node %s', (version) => {
    expect(unmet('darwin', version)).toBeUndefined();
  });

  it.each(['18.20.8', '20.18.9', '8.17.0'])('refuses Node %s in one sentence', (version) => {
    expect(unmet('linux', version)).toMatch(`needs Node 20.19 or newer, but this is Node ${version}`);
  });

  it('refuses Windows before anything is installed, and names WSL2', () => {
    const windows = "Object.defineProperty(process, 'platform', { value: 'win32' });";
    const script = JSON.stringify(new URL('../../scripts/setup.mjs', import.meta.url).pathname);
    const code = `${windows} import(${script}).then((setup) => setup.ensureInstalled()).catch((error) => console.log(error.message))`;
    const { stdout } = spawnSync(process.execPath, ['-e', code], { encoding: 'utf8' });
    expect(stdout).toMatch(/^Fermata does not run on Windows itself: install WSL2 .+\n$/);
  });

  it('builds again when a file was changed, added, renamed or removed, and only then', () => {
    mkdirSync(join(dir, 'src/deep'), { recursive: true });
    const hash = () => contentHash(dir, ['src', 'package.json', 'absent']);
    const seen = [hash()];
    const changes = [
      () => writeFileSync(join(dir, 'src/deep/a.ts'), 'one'),
      () => writeFileSync(join(dir, 'src/deep/a.ts'), 'two'),
      () => writeFileSync(join(dir, 'src/b.ts'), ''),
      () => writeFileSync(join(dir, 'package.json'), '{}'),
      () => rmSync(join(dir, 'src/deep/a.ts')),
    ];
    for (const change of changes) {
      change();
      seen.push(hash());
      utimesSync(join(dir, 'src'), 1, 1);
      expect(hash()).toBe(seen.at(-1));
    }
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('installs again when a package is missing or of another version; optional ones may be absent', () => {
    const lock = {
      packages: {
        '': {},
        'node_modules/a': { version: '1.0.0' },
        'node_modules/b': { version: '1.0.0', optional: true },
      },
    };
    expect(satisfiesLock(lock, { packages: { 'node_modules/a': { version: '1.0.0' } } })).toBe(true);
    expect(satisfiesLock(lock, { packages: { 'node_modules/a': { version: '1.0.1' } } })).toBe(false);
    expect(satisfiesLock(lock, { packages: {} })).toBe(false);
  });
});

describe('two set-ups at once', () => {
  it('take turns', async () => {
    const path = join(dir, 'lock');
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`${name} starts`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      log.push(`${name} ends`);
    };
    await Promise.all([
      withLock(path, work('a'), { poll: 5, onWait }),
      withLock(path, work('b'), { poll: 5, onWait }),
    ]);
    expect(log).toEqual(['a starts', 'a ends', 'b starts', 'b ends']);
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
  });

  it('do not wait for one that died', async () => {
    const path = join(dir, 'lock');
    mkdirSync(path);
    utimesSync(path, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
    await expect(withLock(path, async () => 'done', { poll: 5, onWait })).resolves.toBe('done');
  });

  it('wait longer for one that works than for one that died', async () => {
    const path = join(dir, 'lock');
    let working = true;
    let finish: () => void = () => undefined;
    const long = new Promise<void>((resolve) => (finish = resolve)).then(() => {
      working = false;
    });
    const slow = withLock(path, () => long, { beat: 10 });
    // As if it had worked for a minute: it reports again that it is alive.
    const aMinuteAgo = new Date(Date.now() - 60_000);
    utimesSync(path, aMinuteAgo, aMinuteAgo);
    await expect.poll(() => statSync(path).mtimeMs).toBeGreaterThan(aMinuteAgo.getTime() + 50_000);
    const other = withLock(path, async () => working, { poll: 5, onWait: () => finish() });
    expect(await other).toBe(false);
    await slow;
  });
});
