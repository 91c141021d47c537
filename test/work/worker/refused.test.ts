import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { doing, taskPlace } from '../../cli/support/task-place.ts';
import { PLAN } from '../../plan/convert/support/plans.ts';
import { environment, fermata, freshFolder } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { startWorkerIn, until } from './support/worker-place.ts';

describe('a worker and its ledger', () => {
  it('TEAM-2 a newer ledger is refused, with what to do', async () => {
    const store = join(freshFolder(), 'ledger.db');
    await (await openLedger(store, {})).close();
    const connection = new DatabaseSync(store);
    connection.exec('pragma user_version = 999');
    connection.close();
    const refused = await fermata(['worker', '--can', 'scripted', '--project', 'nobody', '--store', store]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('has version 999; this Fermata supports versions up to');
    expect(refused.stderr).toContain('Install the newest version of Fermata');
  });
});

describe('queued work and its code', () => {
  it('TEAM-2 without a remote, a worker on this machine writes to the project’s folder, and the command says so', async () => {
    const place = taskPlace({ counts: 'all', invocations: [{ steps: [{ do: 'say', text: PLAN }] }] });
    const queued = await place.cli('draft', 'A cart', '--agent', 'scripted', '--queue', '--trust');
    expect(queued, queued.stderr).toMatchObject({ code: 0 });
    expect(queued.stdout).toContain('only a worker on this machine can do it');
    const env = environment(place.at.env);
    const ledger = await openLedger(join(env.FERMATA_HOME ?? '', 'ledger.db'), {});
    const id = (await ledger.projects.list())[0]?.id ?? '';
    await place.cli('trust', '--yes');
    startWorkerIn(ledger, place.cwd, env, ['scripted']);
    const task = await until(ledger, async () => {
      const found = await ledger.tasks.get(id, 'draft:a-cart');
      return found.status === 'closed' || found.status === 'blocked' ? found : undefined;
    });
    expect(task).toMatchObject({ status: 'closed', blockReason: null });
    expect(readFileSync(join(place.cwd, 'plans/a-cart/phase-1.md'), 'utf8')).toContain('# Phase 1: Start');
  });

  it('TEAM-2 with a remote, nothing is queued unless a branch is checked out', async () => {
    const place = taskPlace(doing(), { env: { FERMATA_REMOTE: 'origin' } });
    place.git('clone', '--quiet', '--bare', place.cwd, join(place.cwd, '../shop.git'));
    place.git('remote', 'add', 'origin', '../shop.git');
    place.git('checkout', '--quiet', '--detach');
    for (const words of [
      ['draft', 'A cart'],
      ['feedback', 'add', 'It is slow.'],
    ]) {
      const refused = await place.cli(...words, '--agent', 'scripted', '--queue');
      expect(refused.code, words.join(' ')).not.toBe(0);
      expect(refused.stderr).toMatch(/No branch is checked out in .+\. Check one out/);
    }
    expect((await place.cli('tasks', 'list')).stdout).not.toContain('draft:');
    expect((await place.cli('feedback', 'list')).stdout).not.toContain('It is slow.');
  });

  longTest.each([
    ['no longer exists', 'b=$(git branch --show-current); git checkout -q --detach; git branch -q -D "$b"'],
    ['has no commit in common with', 'git update-ref HEAD "$(git commit-tree -m x "$(git write-tree)")"'],
  ])('TEAM-4 a task is not merged if its branch %s', async (why, does) => {
    const place = taskPlace(doing());
    const program = join(place.cwd, '../agent.sh');
    const answer = '{"status":"success","summary":"Done."}';
    const script = `#!/bin/sh\ncat > /dev/null\necho x > x.txt; git add x.txt\n${does}\necho '${answer}'\n`;
    writeFileSync(program, script, { mode: 0o755 });
    await place.cli('tasks', 'add', 'Greet', '--id', 'greet', '--body', 'Say hello.');
    const agent = ['--agent', 'command', '--agent-command', program];
    await place.cli('tasks', 'work', 'greet', ...agent, '--no-review', '--trust');
    expect((await place.task('greet')).blockReason).toContain(why);
    expect(place.git('log', '--format=%s', 'main')).toBe('A shop');
  });
});
