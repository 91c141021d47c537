import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitNames } from '../../../src/git/git.ts';
import { cleanedEntries } from '../../../src/work/debug-logs/cleaned-entries.ts';
import { cleanupDebugLogs } from '../../../src/work/debug-logs/cleanup-debug-logs.ts';
import { freshFolder } from '../../support/fermata.ts';
import { commit, initRepository, sh, write } from '../support/repository.ts';

const MARK = '// [DEBUG-TEMP]\nlog();\n\n';

const entriesOf = (folder: string) => gitNames(folder, ['ls-tree', '-r', '-z', '--full-tree', 'HEAD']);
const cleanedOf = async (folder: string) => cleanedEntries(folder, 'HEAD', await entriesOf(folder));

function repository(files: Record<string, string>): string {
  const folder = freshFolder('cleaned');
  initRepository(folder);
  commit(folder, 'work', files);
  return folder;
}

describe('BIND-19 the files as our clean-up of debug logs leaves them', () => {
  it('are what the clean-up makes of a worktree, whatever their names, line ends and folders', async () => {
    const folder = repository({
      'a.js': `${MARK}keep();\n`,
      'd/ä b.py': '# [DEBUG-TEMP]\r\nprint(1)\r\n\r\nkeep()\r\n',
      'all.js': '// [DEBUG-TEMP]\nlog();',
      'near.js': '// [debug_temp]\nlog();\n',
      'node_modules/m.js': MARK,
      'binary.bin': `\0${MARK}`,
      'plain.js': 'keep();\n',
    });
    const cleaned = await cleanedOf(folder);
    expect((await cleanupDebugLogs(folder)).modified.toSorted()).toEqual(['a.js', 'all.js', 'd/ä b.py']);
    sh(folder, 'commit', '-qam', 'clean');
    expect(cleaned).toEqual(await entriesOf(folder));
    expect(await cleanedOf(folder)).toBeUndefined();
  });

  it.for([
    ['another debug block', `${MARK}${MARK}keep();\n`],
    ['a debug block that stays', `${MARK}keep();\n`],
    ['another line', '\nkeep();\nevil();\n'],
  ])('are not those with %s', async ([, text = '']) => {
    const folder = repository({ 'a.js': `${MARK}keep();\n`, 'b.js': `${MARK}more();\n` });
    const cleaned = await cleanedOf(folder);
    await cleanupDebugLogs(folder);
    write(folder, { 'a.js': text });
    sh(folder, 'commit', '-qam', 'not only the clean-up');
    expect(await entriesOf(folder)).not.toEqual(cleaned);
  });

  it('a link whose target is a marker is not a marked file', async () => {
    const folder = repository({ 'a.js': 'keep();\n' });
    writeFileSync(join(folder, 'target'), '// [DEBUG-TEMP]');
    const id = sh(folder, 'hash-object', '-w', 'target');
    rmSync(join(folder, 'target'));
    sh(folder, 'update-index', '--add', '--cacheinfo', `120000,${id},link`);
    sh(folder, 'commit', '-qm', 'link');
    expect(await cleanedOf(folder)).toBeUndefined();
  });
});
