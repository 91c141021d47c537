import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Notification } from '../../src/schema/notification.ts';
import { fermata, freshFolder, startFermata } from '../support/fermata.ts';

function place() {
  const cwd = freshFolder();
  return { cwd, env: { FERMATA_HOME: join(cwd, '..', 'home') } };
}

async function inbox(at: ReturnType<typeof place>, ...args: string[]): Promise<Notification[]> {
  const { code, stdout } = await fermata(['inbox', '--json', ...args], at);
  expect(code).toBe(0);
  return JSON.parse(stdout).notifications;
}

/** Starts `ask` without a terminal and waits until its question is stored. */
async function asking(at: ReturnType<typeof place>, ...args: string[]) {
  const running = startFermata(['ask', ...args], at);
  running.child.stdin?.end();
  const id = await new Promise<string>((resolve, reject) => {
    running.child.stderr?.on('data', (text: string) => {
      const found = /Waiting for an answer to (n-\w+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    void running.ended.then((result) => reject(new Error(JSON.stringify(result))));
  });
  return { ...running, id };
}

/** Leaves a question in the inbox, for tests that do not need a process that waits for the answer. */
async function left(at: ReturnType<typeof place>, ...args: string[]): Promise<string> {
  const { code, stderr } = await fermata(['ask', ...args, '--timeout', '0.01'], at);
  expect(code, stderr).toBe(3);
  return /Waiting for an answer to (n-\w+)/.exec(stderr)?.[1] ?? '';
}

describe('CLI-ask', () => {
  test.each([
    [['Which?', '-o', 'a', '-o', 'a'], 2, '--option "a" is duplicated'],
    [
      ['Which?', '-o', 'a', '-o', 'b', '--recommend', 'c'],
      2,
      '--recommend "c" is not one of the options: a, b',
    ],
    [['Which?', '--task', 'nowhere'], 1, 'There is no task nowhere in this project'],
  ])('CLI-EXIT-2 refuses %j before anything is stored', async (args, code, message) => {
    const at = place();
    const refused = await fermata(['ask', ...args], at);
    expect(refused).toMatchObject({ code, stdout: '' });
    expect(refused.stderr).toContain(message);
    expect(await inbox(at)).toEqual([]);
  });

  test('CLI-EXIT-0 LED-3 prints the answer and nothing else, at once, and marks it delivered after that', async () => {
    const at = place();
    const asker = await asking(at, 'Which colour?', '-o', 'red', '-o', 'blue');
    expect((await fermata(['answer', asker.id, '2'], at)).code).toBe(0);
    const answered = Date.now();
    expect(await asker.ended).toMatchObject({ code: 0, stdout: 'blue\n' });
    expect(Date.now() - answered).toBeLessThan(3000);
    const events = JSON.parse((await fermata(['events', '--json'], at)).stdout).events;
    expect(events.map((e: { data: { status?: string } }) => e.data.status)).toEqual([
      undefined,
      'answered',
      'delivered',
    ]);
  });

  test('prints several picks one per line, and the whole notification with --json', async () => {
    const at = place();
    const asker = await asking(at, 'Which?', '-o', 'a', '-o', 'b', '-o', 'c', '--multi');
    await fermata(['answer', asker.id, '1', '3'], at);
    expect((await asker.ended).stdout).toBe('a\nc\n');
    const json = await asking(at, 'Which now?', '--json');
    await fermata(['answer', json.id, 'this one', '--note', 'trust me'], at);
    const { notification } = JSON.parse((await json.ended).stdout);
    expect(notification).toMatchObject({
      id: json.id,
      outcome: 'answered',
      responses: [{ answer: 'this one', note: 'trust me' }],
    });
  });

  test('CHAN-3 a default is taken only as an explicit policy, and recorded with the policy as actor', async () => {
    const at = place();
    const result = await fermata(['ask', 'Region?', '--default', 'eu', '--after', '0.2', '--json'], at);
    expect(result.code).toBe(0);
    expect(JSON.parse(result.stdout).notification).toMatchObject({
      responses: [{ answer: 'eu', by: { actor: { kind: 'policy', name: 'default' } } }],
    });
    const half = await fermata(['ask', 'Region?', '--default', 'eu'], at);
    expect(half).toMatchObject({ code: 2, stdout: '' });
    expect(half.stderr).toContain('--after');
  });

  test('an agent’s default is a proposal: the question stays open, and the inbox shows it (BIND-9)', async () => {
    const at = place();
    const agent = { ...at, env: { ...at.env, FERMATA_AGENT: 'coder' } };
    const ask = [
      'Deploy?',
      '-o',
      'Yes',
      '-o',
      'No',
      '--category',
      'scope',
      '--default',
      'Yes',
      '--after',
      '1s',
    ];
    const asker = await asking(agent, ...ask, '--timeout', '3s');
    const result = await asker.ended;
    expect(result).toMatchObject({ code: 3, stdout: '' });
    expect(result.stderr).toContain('The agent proposes: if nobody answers within 1 s, use Yes.');
    expect(await inbox(at)).toMatchObject([
      { id: asker.id, status: 'open', policy: { kind: 'wait' }, proposal: { kind: 'default', after: 1 } },
    ]);
    const { stdout } = await fermata(['inbox'], at);
    expect(stdout).toContain('The agent proposes: if nobody answers within 1 s, use Yes.');
    expect(stdout).toContain(`fermata answer ${asker.id} --accept`);
    expect((await fermata(['answer', asker.id, '--accept'], agent)).code).toBe(1);
    const accepted = await fermata(['answer', asker.id, '--accept'], at);
    expect(accepted).toMatchObject({
      code: 0,
      stdout: `Accepted: ${asker.id}. If nobody answers within 1 s, the answer will be Yes.\n`,
    });
    await new Promise((done) => setTimeout(done, 1100));
    expect(await inbox(at)).toEqual([]);
  });

  test('what notify_and_proceed decided is listed with who, what and when', async () => {
    const at = place();
    const agent = { ...at, env: { ...at.env, FERMATA_AGENT: 'coder' } };
    const options = ['-o', 'lodash', '-o', 'none', '--recommend', 'lodash', '--category', 'dependency'];
    const asked = await fermata(['ask', 'Which library?', ...options], agent);
    expect(asked).toMatchObject({ code: 0, stdout: 'lodash\n' });
    const { stdout } = await fermata(['inbox', '--recorded'], at);
    expect(stdout).toMatch(
      /^n-\w+ {2}\d{4}-.* · coder · .*\n {2}Continued without asking: Which library\?\n {2}lodash\n$/,
    );
    const json = JSON.parse((await fermata(['inbox', '--recorded', '--json'], at)).stdout);
    expect(json.notifications).toMatchObject([
      { status: 'recorded', createdBy: { actor: { name: 'coder' } } },
    ]);
  });

  test('CLI-EXIT-2 a default has to be one of the options (BIND-9)', async () => {
    const at = place();
    const refused = await fermata(
      ['ask', 'Go?', '-o', 'Yes', '-o', 'No', '--default', 'Perhaps', '--after', '1s'],
      at,
    );
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('"Perhaps" is not one of the options');
    expect(await inbox(at)).toEqual([]);
  });

  test('CLI-EXIT-1 dismissed and withdrawn questions end without an answer and say why', async () => {
    const at = place();
    const dismissed = await asking(at, 'Which?');
    await fermata(['answer', dismissed.id, '--dismiss', 'not our business'], at);
    const first = await dismissed.ended;
    expect(first).toMatchObject({ code: 1, stdout: '' });
    expect(first.stderr).toContain('not our business');
    const withdrawn = await asking(at, 'And which?');
    expect((await fermata(['withdraw', withdrawn.id, '--reason', 'plan changed'], at)).code).toBe(0);
    expect((await withdrawn.ended).stderr).toContain('plan changed');
    const late = await fermata(['answer', withdrawn.id, 'x'], at);
    expect(late.code).toBe(1);
    expect(late.stderr).toContain('plan changed');
  });

  test.each(['ask', 'mcp'])(
    'LED-7 an agent that works on one task cannot block another task with %s',
    async (command) => {
      const at = place();
      for (const id of ['own', 'other']) await fermata(['tasks', 'add', 'Build it', '--id', id], at);
      const env = { ...at.env, FERMATA_AGENT: 'claude', FERMATA_TASK: 'own', FERMATA_FENCE: '0' };
      const words = command === 'ask' ? ['Which?'] : [];
      const refused = await fermata([command, ...words, '--task', 'other'], { ...at, env });
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain('Your task is own, not other. Ask without --task.');
      expect(await inbox(at)).toEqual([]);
    },
  );

  test('LED-7 an asker with a stale fence does not block the task', async () => {
    const at = place();
    await fermata(['tasks', 'add', 'Build it'], at);
    const env = { ...at.env, FERMATA_FENCE: '7' };
    expect(await fermata(['ask', 'Which?', '--task', 't1'], { ...at, env })).toMatchObject({ code: 1 });
    expect(await inbox(at)).toEqual([]);
  });

  test('LED-6 LED-7 a task waits for its question and is open again after the answer', async () => {
    const at = place();
    await fermata(['tasks', 'add', 'Build it'], at);
    const id = await left(at, 'How?', '--task', 't1');
    const task = async () => JSON.parse((await fermata(['tasks', 'show', 't1', '--json'], at)).stdout).task;
    expect(await task()).toMatchObject({ status: 'blocked', blockReason: 'Open Question', assignee: null });
    await fermata(['answer', id, 'well'], at);
    expect(await task()).toMatchObject({ status: 'open', blockReason: null });
  });

  test('LED-5 after kill -9 of the asker, asking again with the same key returns the answer given meanwhile', async () => {
    const at = place();
    const asker = await asking(at, 'Which?', '--key', 'choice');
    asker.child.kill('SIGKILL');
    await asker.ended;
    await fermata(['answer', asker.id, 'this'], at);
    expect(await fermata(['ask', 'Which?', '--key', 'choice'], at)).toMatchObject({
      code: 0,
      stdout: 'this\n',
    });
  });

  test('with a key, prints the recorded answer at once until --again asks a person (BIND-3)', async () => {
    const at = place();
    const asker = await asking(at, 'Which?', '--key', 'choice');
    await fermata(['answer', asker.id, 'this'], at);
    expect(await asker.ended).toMatchObject({ code: 0, stdout: 'this\n' });
    for (const _ of ['second', 'third']) {
      const repeated = await fermata(['ask', 'Which?', '--key', 'choice'], at);
      expect(repeated).toMatchObject({ code: 0, stdout: 'this\n' });
    }
    const again = await asking(at, 'Which?', '--key', 'choice', '--again');
    expect(again.id).not.toBe(asker.id);
    await fermata(['answer', again.id, 'that'], at);
    expect(await again.ended).toMatchObject({ stdout: 'that\n' });
    expect(await fermata(['ask', 'Which?', '--key', 'choice'], at)).toMatchObject({ stdout: 'that\n' });
  });

  test('LED-1 asking again with the same key while it is open is the same question', async () => {
    const at = place();
    const first = await asking(at, 'Which?', '--key', 'choice');
    const second = await left(at, 'Which?', '--key', 'choice');
    expect(second).toBe(first.id);
    expect(await inbox(at)).toHaveLength(1);
  });

  test('HUB-3 an agent may ask but not answer', async () => {
    const at = place();
    const id = await left({ ...at, env: { ...at.env, FERMATA_AGENT: 'coder-1' } as typeof at.env }, 'Which?');
    const result = await fermata(['answer', id, 'mine'], {
      ...at,
      env: { ...at.env, FERMATA_AGENT: 'coder-1' },
    });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('A person has to answer');
    expect(await inbox(at)).toMatchObject([
      { status: 'open', createdBy: { actor: { kind: 'agent', name: 'coder-1' } } },
    ]);
  });

  test.each([
    [['ask'], /missing required argument/],
    [['ask', '   '], /The question is missing.*fermata ask TEXT/],
    [['ask', 'Which?', '--timeout', 'soon'], /--timeout: "soon" is not a valid duration/],
    [['ask', 'Which?', '--category', 'colour'], /category/],
  ])('CLI-EXIT-2 a usage error gets one clear sentence: %j', async (args, sentence) => {
    const result = await fermata(args, place());
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(sentence);
    expect(result.stderr).not.toMatch(/\n\s+at /);
  });
});

describe('CLI-inbox', () => {
  test('shows this project inside one, everything outside and with --all', async () => {
    const home = { FERMATA_HOME: join(freshFolder(), 'home') };
    const [here, there, outside] = [freshFolder(), freshFolder(), freshFolder()];
    await left({ cwd: here, env: home }, 'Here?');
    await left({ cwd: there, env: home }, 'There?');
    const texts = async (cwd: string, ...args: string[]) =>
      (await inbox({ cwd, env: home }, ...args)).map((n) => n.questions[0]?.text);
    expect(await texts(here)).toEqual(['Here?']);
    expect(await texts(outside)).toEqual(['Here?', 'There?']);
    expect(await texts(there, '--all')).toEqual(['Here?', 'There?']);
  });

  test('pages with a cursor and never caps silently', async () => {
    const at = place();
    for (const n of [1, 2, 3]) await left(at, `Question ${n}?`);
    const first = JSON.parse((await fermata(['inbox', '--limit', '2', '--json'], at)).stdout);
    expect(first.notifications).toHaveLength(2);
    const rest = JSON.parse((await fermata(['inbox', '--after', first.next, '--json'], at)).stdout);
    expect(rest.notifications).toHaveLength(1);
    expect((await fermata(['inbox', '--limit', '2'], at)).stderr).toContain('2 of 3 open');
  });

  test('says what to do when nothing waits', async () => {
    const result = await fermata(['inbox'], place());
    expect(result).toMatchObject({ code: 0, stdout: '' });
    expect(result.stderr).toContain('Nothing is waiting for you');
  });
});

describe('CLI-answer', () => {
  test('LED-4 a lost race exits with 1 and names the answer that won', async () => {
    const at = place();
    const id = await left(at, 'Which?');
    await fermata(['answer', id, 'first'], { ...at, env: { ...at.env, FERMATA_USER: 'ann' } });
    const lost = await fermata(['answer', id, 'second', '--json'], at);
    expect(lost.code).toBe(1);
    expect(lost.stderr).toMatch(/ann \(command\).*first/);
    expect(JSON.parse(lost.stdout).error).toMatchObject({
      code: 'conflict',
      details: { responses: [{ answer: 'first' }] },
    });
    const tooMany = await fermata(['answer', id, 'second', 'third'], at);
    expect(tooMany).toMatchObject({ code: 1, stderr: expect.stringContaining('first') });
  });

  test('takes the beginning of an id, and says so when it is not enough', async () => {
    const at = place();
    const first = await left(at, 'One?');
    await left(at, 'Two?');
    expect((await fermata(['answer', 'n-', 'x'], at)).stderr).toContain('Type more of it');
    expect((await fermata(['answer', first.slice(0, 8), 'x'], at)).code).toBe(0);
    const unknown = await fermata(['answer', 'n-zzzz', 'x'], at);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('fermata inbox');
  });

  test('LED-12 --always answers the same question automatically from then on, and says so', async () => {
    const at = place();
    const id = await left(at, 'Which style?');
    for (const nothing of [[], ['--skip'], ['--dismiss', 'no']]) {
      expect(await fermata(['answer', id, '--always', ...nothing], at)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--always needs an answer'),
      });
    }
    await fermata(['answer', id, 'tabs', '--always'], at);
    const again = await fermata(['ask', 'which  STYLE'], at);
    expect(again).toMatchObject({ code: 0, stdout: 'tabs\n' });
    expect(again.stderr).toContain('standing decision');
  });
});
