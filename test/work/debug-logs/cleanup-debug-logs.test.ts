import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanupDebugLogs } from '../../../src/work/debug-logs/cleanup-debug-logs.ts';
import { removeBlocks } from '../../../src/work/debug-logs/remove-blocks.ts';
import { anyCodePoint } from '../../support/any-text.ts';
import { freshFolder } from '../../support/fermata.ts';
import { cases } from '../../support/long.ts';
import { freshRepository, sh, write } from '../support/repository.ts';
import vectors from './vectors/blocks.json' with { type: 'json' };

const block = '// [DEBUG-TEMP]\nconsole.log(1);\n\nkeep();\n';

describe('cleaning up debug logs', () => {
  it('DBG-1 all the vectors', async () => {
    const { main } = await freshRepository();
    write(main, Object.fromEntries(vectors.map(({ path, before }) => [path, before])));
    await cleanupDebugLogs(main);
    for (const { name, path, after } of vectors) {
      expect([name, readFileSync(join(main, path), 'utf8')]).toEqual([name, after]);
    }
  });

  it('DBG-1 CMD-11 cleans tracked files (ignored ones too) and untracked ones that are not ignored, in this worktree only', async () => {
    const { main } = await freshRepository();
    write(main, { 'src/tracked.ts': block, 'build/tracked.ts': block, 'Grüße/ü b.ts': block });
    sh(main, 'add', '-f', '.');
    sh(main, 'commit', '-q', '-m', 'x');
    write(main, {
      'new.ts': block,
      'build/ignored.ts': block,
      'node_modules/x/y.js': block,
      'sub/node_modules/z.js': block,
    });
    sh(main, 'worktree', 'add', '-q', '.trees/w1');
    write(main, { '.trees/w1/new.ts': block });
    symlinkSync('build/ignored.ts', join(main, 'link.ts'));
    writeFileSync(join(main, 'data.bin'), Buffer.concat([Buffer.from([0]), Buffer.from(block)]));
    const { modified, markers, lines, failed } = await cleanupDebugLogs(main);
    expect([...modified].sort()).toEqual(['Grüße/ü b.ts', 'build/tracked.ts', 'new.ts', 'src/tracked.ts']);
    expect({ markers, lines, failed }).toEqual({ markers: 4, lines: 8, failed: [] });
    for (const file of [
      'build/ignored.ts',
      'node_modules/x/y.js',
      'sub/node_modules/z.js',
      '.trees/w1/new.ts',
      '.trees/w1/src/tracked.ts',
    ]) {
      expect(readFileSync(join(main, file), 'utf8')).toBe(block);
    }
    expect(lstatSync(join(main, 'link.ts')).isSymbolicLink()).toBe(true);
    expect(await cleanupDebugLogs(main)).toMatchObject({ modified: [], markers: 0 });
  });

  it('DBG-1 keeps every other byte: encoding, line ends, mode, and a name that is not UTF-8', async () => {
    const { main } = await freshRepository();
    const latin = Buffer.concat([
      Buffer.from([0xe4, 0xff, 0x0a]),
      Buffer.from('# [DEBUG-TEMP]\nprint(1)\n\n'),
      Buffer.from([0xfc]),
    ]);
    const odd = Buffer.concat([Buffer.from(`${main}/`), Buffer.from([0xe9]), Buffer.from('.py')]);
    writeFileSync(odd, latin);
    write(main, { 'run.sh': '#!/bin/sh\r\n# [DEBUG-TEMP]\r\necho 1' });
    chmodSync(join(main, 'run.sh'), 0o755);
    linkSync(join(main, 'a.txt'), join(main, 'hard.txt'));
    await cleanupDebugLogs(main);
    expect(readFileSync(odd)).toEqual(Buffer.from([0xe4, 0xff, 0x0a, 0x0a, 0xfc]));
    expect(readFileSync(join(main, 'run.sh'), 'utf8')).toBe('#!/bin/sh');
    expect(statSync(join(main, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(readdirSync(main).filter((name) => name.startsWith('.fermata'))).toEqual([]);
  });

  it('DBG-1 names the markers that the rule does not cover, and blocks without a blank line after them', async () => {
    const { main } = await freshRepository();
    write(main, {
      'a.ts':
        'x(); // [DEBUG-TEMP]\n<!-- [DEBUG-TEMP] -->\n// [DEBUG-TEMP] because\n/* [DEBUG-TEMP] */\n-- [DEBUG-TEMP]\n',
      'b.ts': '// [DEBUG-TEMP]\nlog();\nreal();\n',
    });
    const { left, unended, modified } = await cleanupDebugLogs(main);
    expect(left.map(({ file, line }) => `${file}:${line}`)).toEqual([
      'a.ts:1',
      'a.ts:2',
      'a.ts:3',
      'a.ts:4',
      'a.ts:5',
    ]);
    expect({ unended, modified }).toEqual({ unended: [{ file: 'b.ts', line: 1 }], modified: ['b.ts'] });
  });

  it('SEED-8 takes the marker only as the seed writes it; near misses stay, and are named', async () => {
    const { main } = await freshRepository();
    const near = [
      '//[DEBUG-TEMP]',
      '//  [DEBUG-TEMP]',
      '#\t[DEBUG-TEMP]',
      '// [debug-temp]',
      '// [DEBUG_TEMP]',
      '# [DEBUG TEMP]',
      '// [ DEBUG-TEMP ]',
      '## [DEBUG-TEMP]',
      '// [DEBUG-TEMP].',
    ];
    const text = near.map((line) => `${line}\nlog();\n\n`).join('');
    const unlike = '// DEBUG-TEMPORARY\nconst debugTemp = [debug, temp];\n';
    write(main, { 'tracked.ts': text, 'large.ts': `${text}${unlike}` });
    sh(main, 'add', 'tracked.ts');
    const { left, markers, modified } = await cleanupDebugLogs(main);
    expect({ markers, modified }).toEqual({ markers: 0, modified: [] });
    for (const file of ['tracked.ts', 'large.ts'])
      expect(left.filter((one) => one.file === file).map((one) => one.text)).toEqual(near);
    expect(readFileSync(join(main, 'tracked.ts'), 'utf8')).toBe(text);
  });

  it('DBG-1 names a tracked file that is too large to clean up, and ignores other large files', async () => {
    const { main } = await freshRepository();
    const large = `${'x'.repeat(99)}\n`.repeat(700_000);
    write(main, { 'tracked.txt': large + block, 'data.txt': large });
    sh(main, 'add', 'tracked.txt');
    const { failed, modified } = await cleanupDebugLogs(main);
    expect(failed).toEqual([{ file: 'tracked.txt', error: expect.stringContaining('64 MB') }]);
    expect(modified).toEqual([]);
  });

  it('follows no link in any part of a path (BIND-25)', async () => {
    const { main } = await freshRepository();
    const outside = freshFolder();
    write(outside, { 'x.js': block, 'd/x.js': block });
    write(main, { 'a/d/x.js': block, 'b/x.js': block, 'kept/x.js': block, 'y.js': block });
    sh(main, 'add', '.');
    sh(main, 'commit', '-q', '-m', 'x');
    for (const name of ['a', 'b', 'y.js']) rmSync(join(main, name), { recursive: true });
    symlinkSync(outside, join(main, 'a'));
    symlinkSync(join(outside, 'd'), join(main, 'b'));
    symlinkSync(join(outside, 'x.js'), join(main, 'y.js'));
    const { modified, left, failed } = await cleanupDebugLogs(main);
    expect({ modified, left, failed }).toEqual({ modified: ['kept/x.js'], left: [], failed: [] });
    for (const name of ['x.js', 'd/x.js']) expect(readFileSync(join(outside, name), 'utf8')).toBe(block);
  });

  it('stays in the worktree while a folder is swapped for a link again and again (BIND-25)', async () => {
    const { main } = await freshRepository();
    const outside = freshFolder();
    write(outside, { 'x.js': block });
    write(main, { 'd/x.js': block });
    sh(main, 'add', '.');
    sh(main, 'commit', '-q', '-m', 'x');
    symlinkSync(outside, join(main, 'link'));
    const swap = 'mv d real; mv link d; mv d link; mv real d';
    const swapping = spawn('bash', ['-c', `while [ ! -e stop ]; do ${swap}; done`], { cwd: main });
    const swapped = once(swapping, 'exit');
    try {
      for (let tries = 0; tries < cases(80); tries++) await cleanupDebugLogs(main).catch(() => undefined);
    } finally {
      writeFileSync(join(main, 'stop'), '');
      await swapped;
    }
    expect(readFileSync(join(outside, 'x.js'), 'utf8')).toBe(block);
    expect(readdirSync(outside)).toEqual(['x.js']);
  });

  it('DBG-1 removes what a dead process left next to a file, but not what a live one is writing', async () => {
    const { main } = await freshRepository();
    write(main, { 'src/.fermata-cleanup-0123456789': 'old', '.fermata-cleanup-9876543210': 'young' });
    utimesSync(join(main, 'src/.fermata-cleanup-0123456789'), 1, 1);
    await cleanupDebugLogs(main);
    expect(existsSync(join(main, 'src/.fermata-cleanup-0123456789'))).toBe(false);
    expect(existsSync(join(main, '.fermata-cleanup-9876543210'))).toBe(true);
  });

  it('DBG-1 whatever a file contains, its other lines stay in their order', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '// [DEBUG-TEMP]',
        '  # [DEBUG-TEMP]',
        '',
        '  \t',
        'x = `',
        '`;',
        "it's",
        '/* a',
        '*/',
        '"""',
      ),
      fc.string({ unit: anyCodePoint, maxLength: 5 }).map((text) => text.replaceAll(/[\n\r]/g, '')),
    );
    const file = fc.record({
      lines: fc.array(line, { maxLength: 30 }),
      eol: fc.constantFrom('\n', '\r\n'),
    });
    fc.assert(
      fc.property(file, ({ lines, eol }) => {
        const text = Buffer.from(lines.join(eol)).toString('latin1');
        const once = removeBlocks(text);
        const rest = once.text.split(eol);
        let from = 0;
        for (const each of text.split(eol)) if (each === rest[from]) from++;
        expect(from === rest.length || once.text === '').toBe(true);
        expect(once.text.split('\n').length).toBeGreaterThanOrEqual(text.split('\n').length - once.lines);
        if (once.markers === 0) expect(once.text).toBe(text);
      }),
      { numRuns: cases(300) },
    );
  });
});
