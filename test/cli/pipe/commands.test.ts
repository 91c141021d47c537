import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../../src/index.ts';
import { fermata, freshFolder } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { pipeParent } from '../../support/pipe-parent.ts';
import { planRepository } from '../run/support/plan-repository.ts';

const LONG = 60_000;

/** Its parent has all the time it needs. */
const parentOf = (args: string[], at: { cwd: string; env: Record<string, string> }) =>
  pipeParent(args, { ...at, env: { FERMATA_QA_TIMEOUT: '30', ...at.env } });

const fresh = () => {
  const cwd = freshFolder();
  return { cwd, env: { FERMATA_HOME: join(cwd, '..', 'home') } };
};

describe('ask over the pipe (BIND-17)', { timeout: LONG }, () => {
  test('asks the parent, and prints the answer on stderr, so that stdout has only the question', async () => {
    const parent = parentOf(['ask', 'Which database?', '-o', 'SQLite', '-o', 'PostgreSQL'], fresh());
    const { question, options } = await parent.next();
    expect([question, options]).toEqual(['Which database?', ['SQLite', 'PostgreSQL']]);
    parent.say({ gap_type: 'general', answer: 'SQLite' });
    const { code, stdout, stderr } = await parent.ended;
    expect([code, stdout.split('\n').filter(Boolean).length, stderr]).toEqual([0, 1, 'SQLite\n']);
  });

  test('keeps waiting if the parent does not answer in time, and takes its late answer by id', async () => {
    const at = fresh();
    const env = { ...at.env, FERMATA_QA_TIMEOUT: '0.2' };
    const parent = parentOf(['ask', 'Which?', '--timeout', '50s'], { ...at, env });
    const { id } = await parent.next();
    await new Promise((resolve) => setTimeout(resolve, 500));
    parent.say({ gap_type: 'general', answer: 'for whom?' });
    parent.say({ gap_type: 'general', id, answer: 'late' });
    const { code, stderr } = await parent.ended;
    expect(code).toBe(0);
    expect(stderr).toContain(`Send the id of an open question:\n  ${id}: Which?`);
    expect(stderr).toMatch(/\nlate\n$/);
  });

  test('an agent has no pipe: it may ask, not answer', async () => {
    const at = fresh();
    const { code, stderr } = await parentOf(['ask', 'Which?'], {
      ...at,
      env: { ...at.env, FERMATA_AGENT: 'claude' },
    }).ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining('may ask but not answer')]);
  });
});

describe('run over the pipe (BIND-17)', { timeout: LONG }, () => {
  const ASKS = `#!/bin/sh
cat > /dev/null
colour=$(fermata ask "Which colour?" -o green -o blue) || exit 1
echo "$colour" > colour.txt
echo '{"status":"success"}'
`;

  function asking() {
    const place = planRepository([{ id: '1', gate: 'test -s colour.txt' }]);
    const program = join(place.cwd, '..', 'agent.sh');
    writeFileSync(program, ASKS, { mode: 0o755 });
    const args = ['run', 'plans/shop', '--agent', 'command', '--agent-command', program, '--json'];
    const env = Object.fromEntries(Object.entries(place.at.env ?? {}).filter(([, value]) => value)) as Record<
      string,
      string
    >;
    return { place, args, env };
  }

  test('an agent’s question goes to the parent, and the agent continues with its answer', async () => {
    const { place, args, env } = asking();
    const parent = parentOf(args, { cwd: place.cwd, env });
    const { question, options } = await parent.next();
    expect([question, options]).toEqual(['Which colour?', ['green', 'blue']]);
    parent.say({ gap_type: 'general', answer: 'blue' });
    const { code, stdout, stderr } = await parent.ended;
    expect(code, stderr).toBe(0);
    expect(stdout.split('\n').filter(Boolean)).toHaveLength(1);
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({ result: 'done' });
    expect(readFileSync(join(place.cwd, 'colour.txt'), 'utf8')).toBe('blue\n');
  });

  function withPermissions() {
    const marks = freshFolder('marks');
    const phases = ['1', '2'].map((id) => ({
      id,
      steps: [{ do: 'run' as const, command: `touch '${marks}/${id}'`, permission: true }],
    }));
    const place = planRepository(phases);
    return {
      place,
      at: { cwd: place.cwd, env: { ...place.at.env, FERMATA_QA_TIMEOUT: '2' } as Record<string, string> },
      args: ['run', 'plans/shop', '--agent', 'scripted', '--no-review', '--parallel', '2'],
      ran: () => readdirSync(marks),
    };
  }

  test('a late "Approve" without an id runs nothing; both permissions stay open, for their ids and for every channel', async () => {
    const { place, at, args, ran } = withPermissions();
    const parent = parentOf(args, at);
    const first = await parent.next();
    const second = await parent.next();
    parent.say({ gap_type: 'general', answer: 'Approve' });
    await parent.told(
      new RegExp(`Answer refused.*an open question:\\n  ${first.id}: .*touch.*\\n  ${second.id}: .*touch`),
    );
    await parent.told(new RegExp(`Question ${second.id} stays open`));
    parent.say({ gap_type: 'general', answer: 'Approve' });
    await parent.told(/(Answer refused[\s\S]*){2}/);
    expect(ran()).toEqual([]);
    expect((await place.inbox()).map(({ id }) => id).sort()).toEqual([first.id, second.id].sort());
    parent.say({ gap_type: 'general', id: first.id, answer: 'Approve' });
    expect(await fermata(['answer', second.id, 'Reject'], at)).toMatchObject({ code: 0 });
    const { code, stderr } = await parent.ended;
    expect(code, stderr).toBe(0);
    expect(ran()).toEqual([/touch .*marks\/(\d)/.exec(first.verbatim?.[0]?.text ?? '')?.[1]]);
  });

  test('an approval is never answered without an id, although nothing else is open', async () => {
    const { at, args, ran } = withPermissions();
    const { code, stderr } = await parentOf([...args, '--park-after', '0.1s'], at).likeTheSeed(
      () => 'Approve',
    );
    expect([code, ran()]).toEqual([3, []]);
    expect(stderr).toMatch(/only an id can approve[\s\S]*They ask again when you resume/);
  });

  longTest(
    'a parent that is gone does not block it: it ends, and an answer can come from elsewhere',
    async () => {
      const { place, args, env } = asking();
      const parent = parentOf(args, { cwd: place.cwd, env });
      parent.child.stdin.end();
      const { code, stdout, stderr } = await parent.ended;
      expect([code, stdout], stderr).toEqual([3, '']);
      expect(await place.inbox()).toHaveLength(1);
      expect(existsSync(join(place.cwd, 'colour.txt'))).toBe(false);
    },
  );
});

describe('draft and convert over the pipe (BIND-17)', { timeout: LONG }, () => {
  const asks = {
    invocations: [
      {
        steps: [
          {
            do: 'ask',
            questions: [
              {
                question: 'Which language?',
                header: 'Language',
                options: [
                  { label: 'Rust', description: '' },
                  { label: 'Go', description: '' },
                ],
                multiSelect: false,
              },
            ],
          },
          { do: 'say', text: 'done' },
        ],
      },
    ],
  };

  longTest('questions of a draft’s agent go to the parent', async () => {
    const at = fresh();
    const config = join(at.cwd, '..', 'scenario.json');
    writeFileSync(config, JSON.stringify(asks));
    const env = { ...at.env, FAKE_CLAUDE_CONFIG: config };
    const parent = parentOf(
      ['draft', 'Add a log-in page for customers', '--adaptive', '--agent', 'scripted'],
      {
        ...at,
        env,
      },
    );
    const { question, options, id } = await parent.next();
    expect([question, options]).toEqual(['Which language?', ['Rust', 'Go']]);
    parent.say({ gap_type: 'general', answer: 'Go' });
    await parent.ended;
    const ledger = await openLedger(join(at.env.FERMATA_HOME, 'ledger.db'));
    onTestFinished(() => ledger.close());
    const { responses } = await ledger.notifications.find(id);
    expect(responses).toMatchObject([{ answer: 'Go', by: { channel: 'pipe' } }]);
  });

  test('stdin cannot be both the idea and the pipe', async () => {
    const { code, stderr } = await parentOf(['draft', '-'], fresh()).ended;
    expect([code, stderr]).toEqual([2, expect.stringContaining('as the pipe for answers')]);
  });

  test('convert says at once that it asks nothing, and prints nothing to stdout', async () => {
    const at = fresh();
    writeFileSync(join(at.cwd, 'plan.md'), '# A plan\n\nDo it.\n');
    const program = join(at.cwd, '..', 'agent.sh');
    writeFileSync(program, '#!/bin/sh\ncat > /dev/null\necho nothing\n', { mode: 0o755 });
    const args = [
      'convert',
      'plan.md',
      '--agent',
      'command',
      '--agent-command',
      program,
      '--max-iterations',
      '1',
    ];
    const { stdout, stderr } = await parentOf(args, at).ended;
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^fermata: convert does not ask questions/);
  });
});
