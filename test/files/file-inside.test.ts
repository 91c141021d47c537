import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFileInside } from '../../src/files/open-inside.ts';
import { freshFolder } from '../support/fermata.ts';
import { cases } from '../support/long.ts';
import { write } from '../work/support/repository.ts';

const read = (folder: string, path: string) =>
  withFileInside([folder], join(folder, path), (file) => readFileSync(file, 'utf8'));

it('reads through a link that stays inside, and none that leads out (BIND-14)', () => {
  const [top, outside] = [freshFolder(), freshFolder()];
  write(outside, { secret: 'secret' });
  write(top, { 'd/a': 'a' });
  symlinkSync('d/a', join(top, 'in'));
  symlinkSync(join(outside, 'secret'), join(top, 'out'));
  symlinkSync(outside, join(top, 'folder'));
  expect(['d/a', 'in', 'out', 'folder/secret'].map((path) => read(top, path))).toEqual([
    'a',
    'a',
    'outside',
    'outside',
  ]);
  expect(() => read(top, 'missing')).toThrow('ENOENT');
});

it.runIf(process.platform === 'linux')(
  'never reads outside while a folder is swapped for a link again and again (BIND-14)',
  async () => {
    const [top, outside] = [freshFolder(), freshFolder()];
    write(outside, { a: 'secret' });
    write(top, { 'd/a': 'a' });
    symlinkSync(outside, join(top, 'link'));
    const swap = 'mv d real; mv link d; mv d link; mv real d';
    const swapping = spawn('bash', ['-c', `while [ ! -e stop ]; do ${swap}; done`], { cwd: top });
    const swapped = once(swapping, 'exit');
    const seen = new Set<string>();
    for (let tries = 0; tries < cases(80_000); tries++) {
      try {
        seen.add(read(top, 'd/a'));
      } catch (error) {
        seen.add((error as NodeJS.ErrnoException).code ?? '');
      }
    }
    writeFileSync(join(top, 'stop'), '');
    await swapped;
    expect(seen).not.toContain('secret');
    expect(seen).toContain('outside');
  },
);
