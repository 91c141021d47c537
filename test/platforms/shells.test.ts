import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeCommandsFolder } from '../../src/agents/door/listen.ts';
import { checkoutHook } from '../../src/cli/hooks/install.ts';
import { freshFolder } from '../support/fermata.ts';
import { sh } from '../work/support/repository.ts';

/** The /bin/sh of Debian, of Alpine, and of macOS, whose bash 3.2 knows little more than POSIX. */
const SHELLS = [['dash'], ['busybox', 'sh'], ['bash', '--posix'], ['sh']];
const isHere = ([program = '', ...args]: string[]) => spawnSync(program, [...args, '-c', ':']).status === 0;
const here = SHELLS.filter(isHere);
for (const shell of SHELLS.filter((each) => !here.includes(each)))
  process.stderr.write(`NOT TESTED: our scripts in ${shell.join(' ')}, which is not on the PATH.\n`);

describe.each(here.map((shell) => [shell.join(' '), shell] as const))(
  'in %s',
  (_, [program = '', ...args]) => {
    const run = (cwd: string, ...words: string[]) =>
      spawnSync(program, [...args, ...words], {
        cwd,
        encoding: 'utf8',
        env: { ...process.env, FERMATA_DOOR: '' },
      });

    test('the git hook prints progress, only on the branch of a phase', () => {
      const repository = freshFolder();
      const hook = join(repository, '..', 'post-checkout');
      writeFileSync(hook, checkoutHook(['echo', "it's shown:"]));
      sh(repository, 'init', '--quiet', '--initial-branch', 'shop--implementation-1');
      expect(run(repository, hook, 'a', 'b', '1')).toMatchObject({
        status: 0,
        stdout: "it's shown: hooks show\n",
        stderr: '',
      });
      expect(run(repository, hook, 'a', 'b', '0')).toMatchObject({ status: 0, stdout: '', stderr: '' });
      sh(repository, 'symbolic-ref', 'HEAD', 'refs/heads/main');
      expect(run(repository, hook, 'a', 'b', '1')).toMatchObject({ status: 0, stdout: '', stderr: '' });
    });

    test('the commands of an agent start this very program', () => {
      const folder = freshFolder("an agent's");
      mkdirSync(join(folder, 'work'));
      const commands = makeCommandsFolder(folder);
      const version = JSON.parse(
        readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
      ).version;
      expect(run(join(folder, 'work'), join(commands, 'fermata'), '--version')).toMatchObject({
        status: 0,
        stdout: expect.stringContaining(version),
      });
    });

    test.each(['.ci/run', 'test/support/platforms/bin/ps'])('%s can be read', (script) => {
      expect(run(join(import.meta.dirname, '../..'), '-n', script)).toMatchObject({ status: 0, stderr: '' });
    });
  },
);
