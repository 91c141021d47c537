import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longTest } from '../support/long-test.ts';
import { doing, taskPlace, write } from './support/task-place.ts';

const LONG = 240_000;

const greeting = doing(write('greeting.txt', 'Ahoy\n'));
const addGreeting = ['tasks', 'add', 'Greet', '--id', 'greet', '--body', 'Write Ahoy into greeting.txt.'];

test(
  'TEAM-4 a task is done in its own worktree, checked, approved by a person, merged and closed',
  async () => {
    const place = taskPlace(greeting);
    await place.cli(...addGreeting);
    const first = await place.work('greet');
    expect(first.code, first.stderr).toBe(3);
    expect(JSON.parse(first.stdout)).toMatchObject({
      result: 'waiting',
      into: 'main',
      branch: 'main--task-greet',
      merged: false,
      open: [{ question: 'Merge task greet into main? greeting.txt' }],
    });
    expect(place.git('log', '--format=%s', 'main')).toBe('A shop');

    const [asked] = await place.inbox();
    const [question] = asked?.questions ?? [];
    expect(question?.context).toContain('Checks passed: test ! -e broken');
    expect(question?.context).toContain('The greeting is there.');
    expect(question?.verbatim?.map(({ label }) => label)).toEqual(['changes', 'diff']);
    expect(question?.verbatim?.[1]?.text).toContain('+Ahoy');

    // Nobody is asked twice.
    expect((await place.work('greet')).code).toBe(3);
    expect(await place.inbox()).toHaveLength(1);

    await place.cli('answer', asked?.id ?? '', 'Approve');
    const second = await place.work('greet');
    expect(second.code, second.stderr).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject({
      result: 'done',
      status: 'closed',
      merged: true,
      open: [],
    });
    expect(place.git('log', '--topo-order', '--format=%s', 'main').split('\n')).toEqual([
      "Merge branch 'main--task-greet' into main",
      'Task greet: Greet',
      'A shop',
    ]);
    expect(place.git('show', 'main:greeting.txt')).toBe('Ahoy');
  },
  LONG,
);

longTest(
  'TEAM-4 a rejection with a reason sends the agent again; one without a reason says what to do',
  async () => {
    const place = taskPlace(greeting);
    await place.cli(...addGreeting);
    await place.work('greet');
    const [first] = await place.inbox();
    await place.cli('answer', first?.id ?? '', 'Reject');
    const stopped = await place.work('greet');
    expect(stopped.code, stopped.stderr).toBe(1);
    const { reason } = JSON.parse(stopped.stdout);
    expect(reason).toContain('rejected the work and did not say why');

    place.plays(doing(write('greeting.txt', 'Moin\n')));
    await place.cli('tasks', 'say', 'greet', 'Say Moin.');
    const again = await place.work('greet');
    expect(again.code, again.stdout).toBe(3);
    const [second] = await place.inbox();
    expect(second?.questions[0]?.verbatim?.[1]?.text).toContain('+Moin');
  },
  LONG,
);

longTest(
  'TEAM-4 at level automated nobody is asked; a check that fails goes back to the agent',
  async () => {
    const place = taskPlace({
      counts: 'all',
      invocations: [
        { steps: [write('broken', 'x'), { do: 'say', text: '{"status":"success"}' }] },
        {
          steps: [
            { do: 'run', command: 'rm broken' },
            { do: 'say', text: '{"status":"success"}' },
          ],
        },
      ],
    });
    await place.cli('config', 'set', 'hilConfig', 'full');
    await place.cli(...addGreeting);
    const worked = await place.work('greet', '--allow', 'Bash');
    expect(worked.code, worked.stdout + worked.stderr).toBe(0);
    expect(worked.stderr).toContain('starts again to fix what was found');
    expect(place.git('ls-tree', '--name-only', 'main')).not.toContain('broken');
  },
  LONG,
);

longTest(
  'TEAM-4 an agent that asks holds only its task, and continues with the answer',
  async () => {
    const place = taskPlace(
      doing(
        { do: 'ask', questions: [{ id: 'q', question: 'Which word?' }] },
        write('greeting.txt', '{{answer:q}}\n'),
      ),
    );
    await place.cli('config', 'set', 'hilConfig', 'full');
    await place.cli(...addGreeting);
    await place.cli('tasks', 'add', 'Other', '--id', 'other', '--body', 'Something else.');
    const asks = await place.work('greet');
    expect(asks.code, asks.stderr).toBe(3);
    const [asked] = await place.inbox();
    expect(asked?.questions[0]?.text).toBe('Which word?');
    expect(await place.task('other')).toMatchObject({ status: 'open' });
    await place.cli('answer', asked?.id ?? '', 'Moin');
    const worked = await place.work('greet');
    expect(worked.code, worked.stderr).toBe(0);
    expect(place.git('show', 'main:greeting.txt')).toBe('Moin');
  },
  LONG,
);

longTest(
  'TEAM-4 BIND-12 checks that nobody configured are trusted first; a project without any says so once',
  async () => {
    const place = taskPlace(greeting, { checks: [], env: { FERMATA_TRUST: '0' } });
    await place.cli(...addGreeting);
    await place.cli('config', 'set', 'hilConfig', 'full');
    writeFileSync(join(place.cwd, 'package.json'), '{"scripts":{"test":"test -s greeting.txt"}}');
    place.git('add', '--all');
    place.git('commit', '--quiet', '-m', 'Tests');
    const untrusted = await place.work('greet');
    expect(untrusted.code, untrusted.stderr).toBe(3);
    const [asked] = await place.inbox();
    expect(asked?.questions[0]?.verbatim?.[0]?.text).toContain('npm test   # test -s greeting.txt');
    writeFileSync(join(place.cwd, 'package.json'), '{}');
    const without = await place.work('greet');
    expect(without.code, without.stderr).toBe(0);
    expect(without.stderr.match(/This project has no checks/g)).toHaveLength(1);
  },
  LONG,
);

longTest(
  'TEAM-4 BIND-7 a steering file is in the one question about the merge, and asked about at any level',
  async () => {
    const place = taskPlace(doing(write('CLAUDE.md', 'Obey.\n')));
    await place.cli(...addGreeting);
    await place.work('greet');
    const [one, ...more] = await place.inbox();
    expect(more).toEqual([]);
    expect(one?.questions[0]?.verbatim?.map(({ label }) => label)).toEqual([
      'changes',
      'files that run programs or steer agents',
      'diff',
    ]);
    await place.cli('config', 'set', 'hilConfig', 'full');
    await place.cli('withdraw', one?.id ?? '', '--reason', 'no longer asked');
    expect((await place.work('greet')).code).toBe(3);
    expect((await place.inbox())[0]?.questions[0]?.text).toMatch(/files that run programs or steer/);
  },
  LONG,
);

test(
  'TEAM-4 a task that cannot be worked on is refused with what to do',
  async () => {
    const place = taskPlace(greeting);
    const refused = async (id: string, ...args: string[]) => {
      const { code, stderr } = await place.work(id, ...args);
      expect(code).not.toBe(0);
      return stderr;
    };
    await place.cli('tasks', 'add', 'Only a title', '--id', 'bare');
    expect(await refused('bare')).toMatch(/bare has only a title.*tasks edit bare --body/s);
    await place.cli(...addGreeting);
    expect(await refused('greet', '--into', 'nowhere')).toMatch(/Branch nowhere not found/);
    expect(await refused('unknown')).toMatch(/no task unknown/);
    await place.cli('tasks', 'add', 'Later', '--id', 'later', '--body', 'x', '--depends-on', 'greet');
    expect(await refused('later')).toMatch(/later waits for greet.*tasks work greet/s);
    await place.cli('tasks', 'block', 'greet', '--reason', 'legal');
    expect(await refused('greet')).toMatch(/greet is blocked: legal.*tasks unblock greet/s);
    await place.cli('tasks', 'close', 'greet');
    expect(await refused('greet')).toMatch(/greet is closed.*tasks reopen greet/s);
    const missing = await place.cli(
      'tasks',
      'work',
      'later',
      '--agent',
      'claude',
      '--agent-command',
      '/none',
    );
    expect(missing.code).toBe(4);
  },
  LONG,
);
