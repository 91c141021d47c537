import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgePlatform } from '../../src/cli/commands/doctor.ts';
import { openLedger } from '../../src/index.ts';
import { unsafeDrive } from '../../src/ledger/engine/refuse-place.ts';
import { fermata, freshFolder, spawnFermata } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';
import { preloaded } from '../support/platforms/preloads.ts';

const WSL = '5.15.153.1-microsoft-standard-WSL2';

/** The environment of a machine whose disks are of this kind. */
const onDrive = (fileSystem: number, kernel: string) => ({
  ...preloaded('drive.cjs'),
  SHIM_FILE_SYSTEM: String(fileSystem),
  SHIM_KERNEL: kernel,
});

describe('where a ledger may be', () => {
  it.each([
    ['a Windows drive under WSL2', 0x01021997, WSL, 'a Windows drive'],
    ['the Linux disk of WSL2', 0xef53, WSL, undefined],
    ['a network drive under WSL2', 0xff534d42, WSL, 'a network drive (SMB)'],
    ['a network drive', 0x6969, '6.8.0-45-generic', 'a network drive (NFS)'],
    ['a sandbox whose disk is served over 9P', 0x01021997, '4.4.0', undefined],
    ['an ordinary disk', 0xef53, '6.8.0-45-generic', undefined],
  ])('%s', (_, fileSystem, kernel, refused) => {
    expect(unsafeDrive(fileSystem, kernel)).toBe(refused);
  });

  it.each([
    ['a Windows drive', 0x01021997, WSL],
    ['a network drive (NFS)', 0x6969, '6.8.0-45-generic'],
  ])('%s is refused in one sentence, and no file is created', async (drive, fileSystem, kernel) => {
    const FERMATA_HOME = join(freshFolder(), 'home');
    const env = { FERMATA_HOME, ...onDrive(fileSystem, kernel) };
    for (const command of [
      ['ask', 'Which database?', '--timeout', '0'],
      ['tasks', 'list'],
    ]) {
      const { code, stdout, stderr } = await fermata(command, { env });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(
        `is on ${drive}, where a ledger could lose answers that it confirmed. Set FERMATA_HOME`,
      );
      expect(existsSync(join(FERMATA_HOME, 'ledger.db'))).toBe(false);
    }
    const { stdout } = await fermata(['doctor'], { env });
    expect(stdout).toContain(`is on ${drive}`);
  });

  longTest('an existing ledger on a network drive stays as it is', async () => {
    const FERMATA_HOME = join(freshFolder(), 'home');
    // In its own process, whose end closes the file; in this process, only the garbage collector would.
    await spawnFermata(['tasks', 'add', 'Shop'], { env: { FERMATA_HOME } });
    const before = readFileSync(join(FERMATA_HOME, 'ledger.db'));
    expect(
      (await fermata(['tasks', 'add', 'Till'], { env: { FERMATA_HOME, ...onDrive(0x6969, '6.8.0') } })).code,
    ).toBe(2);
    expect(readFileSync(join(FERMATA_HOME, 'ledger.db'))).toEqual(before);
  });
});

describe('a path that is too long for a ledger', () => {
  const home = (length: number) => {
    const above = `${freshFolder()}/${'x'.repeat(200)}`;
    return `${above}/${'y'.repeat(length - Buffer.byteLength(above) - '//ledger.db'.length)}`;
  };

  it('is refused in one sentence, and no file is created', async () => {
    for (const FERMATA_HOME of [`${home(504)}z`, `${freshFolder()}/home/${'x'.repeat(256)}`]) {
      const { code, stderr } = await fermata(['tasks', 'list'], { env: { FERMATA_HOME } });
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringMatching(
          /^fermata: The path of the ledger is too long \(.*\)\. Set FERMATA_HOME to a shorter path/,
        ),
      });
      expect(existsSync(`${FERMATA_HOME}/ledger.db`)).toBe(false);
    }
  });

  it('is one byte longer than the longest that SQLite takes', async () => {
    const ledger = await openLedger(`${home(504)}/ledger.db`);
    await ledger.close();
  });
});

describe('doctor on', () => {
  it.each([
    ['linux', 'x64', 'glibc 2.36', 'ok', /^linux, x64, glibc 2\.36 \(tested/],
    ['linux', 'x64', 'musl', 'ok', /not tested with every change/],
    ['darwin', 'arm64', undefined, 'ok', /^darwin, arm64 \(supported, but not tested/],
    ['freebsd', 'x64', undefined, 'warning', /^freebsd, x64$/],
  ])('%s %s %s', (platform, arch, libc, status, detail) => {
    expect(judgePlatform(platform, arch, libc)).toMatchObject({
      status,
      detail: expect.stringMatching(detail),
    });
  });
});
