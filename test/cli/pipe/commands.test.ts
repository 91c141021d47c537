import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../../src/index.ts';
import { QAQuestion } from '../../../src/schema/qa.ts';
import { BIN, environment, freshFolder } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { planRepository } from '../run/support/plan-repository.ts';

const LONG = 60_000;

/** The program as the child of this process, which answers over the pipe; it has no terminal. */
function parentOf(args: string[], at: { cwd: string; env: Record<string, string> }) {
  const env = environment({ FERMATA_QA_PIPE: '1', FERMATA_QA_TIMEOUT: '30', ...at.env });
  const child = spawn(process.execPath, [BIN, ...args], { cwd: at.cwd, env, detached: true });
  const result = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (result.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (result.stderr += text));
  child.stdin.on('error', () => undefined); // it may end without reading
  const ended = once(child, 'close').then(([code]) => ({ code, ...result }));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ended,
    async next() {
      const { value, done } = await lines.next();
      if (done) throw new Error(`It ended without a question: ${JSON.stringify(await ended)}`);
      return QAQuestion.required({ id: true }).parse(JSON.parse(value));
    },
    say: (answer: object) => child.stdin.write(`${JSON.stringify({ gap_type: 'general', ...answer })}\n`),
    end: () => child.stdin.end(),
  };
}

const fresh = () => {
  const cwd = freshFolder();
  return { cwd, env: { FERMATA_HOME: join(cwd, '..', 'home') } };
};

describe('ask over the pipe (BIND-17)', { timeout: LONG }, () => {
  test('asks the parent, and prints the answer on stderr, so that stdout has only the question', async () => {
    const parent = parentOf(['ask', 'Which database?', '-o', 'SQLite', '-o', 'PostgreSQL'], fresh());
    const { question, options } = await parent.next();
    expect([question, options]).toEqual(['Which database?', ['SQLite', 'PostgreSQL']]);
    parent.say({ answer: 'SQLite' });
    const { code, stdout, stderr } = await parent.ended;
    expect([code, stdout.split('\n').filter(Boolean).length, stderr]).toEqual([0, 1, 'SQLite\n']);
  });

  test('keeps waiting if the parent does not answer in time, and takes its late answer by id', async () => {
    const at = fresh();
    const env = { ...at.env, FERMATA_QA_TIMEOUT: '0.2' };
    const parent = parentOf(['ask', 'Which?', '--timeout', '50s'], { ...at, env });
    const { id } = await parent.next();
    await new Promise((resolve) => setTimeout(resolve, 500));
    parent.say({ answer: 'for whom?' });
    parent.say({ id, answer: 'late' });
    const { code, stderr } = await parent.ended;
    expect(code).toBe(0);
    expect(stderr).toContain(`Send the id of an open question: ${id}.`);
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
    parent.say({ answer: 'blue' });
    const { code, stdout, stderr } = await parent.ended;
    expect(code, stderr).toBe(0);
    expect(stdout.split('\n').filter(Boolean)).toHaveLength(1);
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({ result: 'done' });
    expect(readFileSync(join(place.cwd, 'colour.txt'), 'utf8')).toBe('blue\n');
  });

  longTest(
    'a parent that is gone does not block it: it ends, and an answer can come from elsewhere',
    async () => {
      const { place, args, env } = asking();
      const parent = parentOf(args, { cwd: place.cwd, env });
      parent.end();
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
    parent.say({ answer: 'Go' });
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
