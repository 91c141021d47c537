import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readProgress } from '../../src/plan/progress/read-progress.ts';
import {
  calculator,
  interactivePlanning,
  multiRoundQa,
  ScenarioBuilder,
  scriptedAgentProgram,
} from '../../src/testing.ts';
import { type Place, place, question } from '../cli/support/draft-place.ts';
import { inbox } from '../support/asked.ts';
import { fermata, type Options, type Running, startFermata } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';

const IDEA = ['INITIAL.md', '# Build a web app\n\nA simple web application.\n'] as const;

describe("SEED-1 the seed's prebuilt scenarios through rslph plan --adaptive", () => {
  test('interactive_planning: test_session_resume_produces_valid_output, with the answers on stdin', async () => {
    const at = project(interactivePlanning());
    const { code, stdout, stderr } = await plan(at, {
      input: 'I want to use Rust.\nPostgreSQL for the database.\n',
    });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(
      stdout
        .split('\n')
        .map((line) => line.trim())
        .slice(1, 4),
    ).toEqual(['MASTER_PLAN.md', 'phase-1.md', 'progress.md']);
    expect(progressOf(at)).toBe(
      '# Progress: Interactive Test\n\n## Status\n\nIn Progress\n\n## Tasks\n\n### Phase 1: Setup\n\n- [ ] Configure project\n\n## Testing Strategy\n\nBasic tests.\n',
    );
    expect(readProgress(progressOf(at))?.problems).toEqual([]);
    expect(at.handle.answers()).toMatchObject([
      { question: 'What programming language?', answer: 'I want to use Rust.' },
      { question: 'What database?', answer: 'PostgreSQL for the database.' },
    ]);
    expect(at.handle.invocations().map(({ sessionId }) => sessionId)).toEqual([
      'test-session-123',
      'test-session-123',
    ]);
    expect(stderr).toContain(' 1 round of questions; 200 tokens in, 40 out.');
  });

  test('test_session_id_captured_from_fake_claude, test_asks_questions_detected_from_fake_claude, test_questions_parsed_correctly', async () => {
    const texts = ['Question 1?', 'Question 2?', 'Question 3?'];
    const at = project(
      new ScenarioBuilder()
        .withSessionId('e2e-session-789')
        .asksQuestions(texts)
        .respondsWithText('# Progress: Test\n\n## Status\nIn Progress\n\n## Tasks\n\n- [ ] Start\n'),
    );
    const { code, stderr } = await plan(at, { input: 'one\ntwo\nthree\n' });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(at.handle.answers().map(({ question: text, answer }) => [text, answer])).toEqual(
      texts.map((text, index) => [text, ['one', 'two', 'three'][index]]),
    );
    const { stdout } = await fermata(['events', '--json'], at);
    expect(stdout).toContain('e2e-session-789');
  });

  test('multi_round_qa: test_multi_round_qa_completes, with a line on stdin for each round', async () => {
    const at = project(multiRoundQa());
    const { code, stderr } = await plan(at, { input: 'one\n\n\ntwo\n\n\n' });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(at.handle.answers()).toMatchObject([
      { question: 'Question round 1?', answer: 'one' },
      { question: 'Question round 2?', answer: 'two' },
    ]);
    expect(readProgress(progressOf(at))?.problems).toEqual([]);
    expect(stderr).toContain(' 2 rounds of questions; 300 tokens in, 60 out.');
    expect(progressOf(at)).toContain('RALPH_DONE');
    const shown = await fermata(['plan', 'show', 'plans/build-a-web-app-a-simple', '--json'], at);
    expect(JSON.parse(shown.stdout).phases).toMatchObject([{ status: 'completed' }]);
  });

  test('calculator: test_no_questions_proceeds_normally, standard as well', async () => {
    for (const flags of [['--adaptive'], []]) {
      const at = project(calculator());
      const { code, stderr } = await plan(at, {}, flags);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(stderr).toContain('0 rounds of questions');
      expect(progressOf(at)).toMatch(/^# Progress: Calculator\n/);
    }
  });

  const scenarios = [
    ['interactive_planning', interactivePlanning, ['What programming language?', 'What database?'], 1],
    ['multi_round_qa', multiRoundQa, ['Question round 1?', 'Question round 2?'], 2],
    ['calculator', calculator, [], 0],
  ] as const;
  const channels = [
    ['on stdin', answerOnStdin],
    ['over the pipe', answerOverPipe],
    ['headless, from another process', answerHeadless],
  ] as const;
  type Cell = [
    string,
    () => ScenarioBuilder,
    readonly string[],
    number,
    string,
    (typeof channels)[number][1],
  ];
  const each = scenarios.flatMap((scenario) => channels.map((channel): Cell => [...scenario, ...channel]));
  /** Several questions at once, and round after round; the tests above answer on stdin. */
  const isOften = ([name, , , , channel]: Cell) =>
    name === 'multi_round_qa'
      ? channel !== 'on stdin'
      : name === 'interactive_planning' && channel === 'over the pipe';

  test.each(each.filter(isOften))('$0, with the answers $4', plansWith);
  longTest.each(each.filter((cell) => !isOften(cell)))('$0, with the answers $4', plansWith);

  async function plansWith(...[, scenario, questions, rounds, , run]: Cell): Promise<void> {
    const at = project(scenario());
    const { code, stderr, asked } = await run(
      at,
      questions.map((text) => `answer to ${text}`),
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(asked ?? questions).toEqual(questions);
    expect(at.handle.answers().map(({ question: text, answer }) => [text, answer])).toEqual(
      questions.map((text) => [text, `answer to ${text}`]),
    );
    expect(readProgress(progressOf(at))).toMatchObject({ problems: [] });
    const counted = rounds === 1 ? '1 round' : `${rounds} rounds`;
    expect(stderr).toContain(
      ` ${counted} of questions; ${100 * (rounds + 1)} tokens in, ${20 * (rounds + 1)} out.`,
    );
  }
});

describe('SEED-1 progress.md in both directions', () => {
  test('a progress file becomes the plan without an agent, and the plan gives it back with its progress', async () => {
    const at = project(calculator());
    const text =
      '# Progress: Shop\n\n## Status\n\nIn Progress\n\n## Tasks\n\n### Phase 1: Setup\n\n- [ ] Start\n';
    writeFileSync(join(at.cwd, 'progress.md'), text);
    const made = await fermata(['plan', 'progress.md', '--json'], { ...at, as: 'rslph' });
    expect(made).toMatchObject({ code: 0 });
    expect(at.handle.invocations()).toEqual([]);
    const own = join(at.cwd, 'plans/shop/progress.md');
    expect(readFileSync(own, 'utf8')).toBe(text);
    const phase = join(at.cwd, 'plans/shop/phase-1.md');
    writeFileSync(phase, readFileSync(phase, 'utf8').replace('**Status:** Pending', '**Status:** Completed'));
    const back = await fermata(['plan', 'plans/shop'], { ...at, as: 'rslph' });
    expect(back).toMatchObject({ code: 0, stdout: 'plans/shop/progress.md\n' });
    expect(readFileSync(own, 'utf8')).toBe(text.replace('In Progress', 'RALPH_DONE').replace('[ ]', '[x]'));
    writeFileSync(own, `${text}\n## Notes\n\nMine.\n`);
    const refused = await fermata(['plan', 'plans/shop'], { ...at, as: 'rslph' });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('progress.md, line 13: the plan does not have "## Notes".');
    expect(readFileSync(own, 'utf8')).toContain('Mine.');
    writeFileSync(join(at.cwd, 'plans/shop/MASTER_PLAN.md'), '# Shop\n');
    const empty = await fermata(['plan', 'plans/shop'], { ...at, as: 'rslph' });
    expect(empty).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('plans/shop has no readable phase'),
    });
  });

  test('broken check boxes are reported with their line, to a person and to the agent, which corrects them', async () => {
    const broken = '# Progress: Shop\n\n## Tasks\n\n### Phase 1: Setup\n\n- [y] Start\n- [] Go on\n';
    const at = project(
      new ScenarioBuilder()
        .respondsWithText(broken)
        .nextInvocation()
        .respondsWithText(broken.replace('[y]', '[x]').replace('[]', '[ ]')),
    );
    writeFileSync(join(at.cwd, 'progress.md'), broken);
    const mine = await fermata(['plan', 'progress.md'], { ...at, as: 'rslph' });
    expect(mine).toMatchObject({ code: 2, stdout: '' });
    expect(mine.stderr).toBe(
      'fermata: progress.md, line 7: "- [y] Start" is not a check box. (2 like this) Write "- [ ] " for an open task and "- [x] " for one that is done.\n',
    );
    const theirs = await plan(at, {}, []);
    expect(theirs).toMatchObject({ code: 0 });
    expect(theirs.stderr).toContain('Attempt 1 has 2 errors to fix');
    expect(at.handle.invocations()[1]?.prompt).toContain(
      '- [error] BROKEN_CHECKBOX: "- [y] Start" is not a check box. (progress.md:7)',
    );
    expect(progressOf(at)).toContain('- [x] Start\n- [ ] Go on\n');
  });
});

test('SEED-2 after the fifth round the plan so far is kept, the question waits, and the command that continues it works', async () => {
  const scenario = new ScenarioBuilder().respondsWithText('# What I have so far');
  for (const n of [1, 2, 3, 4, 5, 6]) scenario.asksQuestions([`Round ${n}?`]);
  const at = project(scenario.respondsWithText('# Progress: Shop\n\n## Tasks\n\n- [ ] Start\n'));
  const input = [1, 2, 3, 4, 5].map((n) => `answer ${n}\n`).join('');
  const { code, stdout, stderr } = await plan(at, { input }, ['--adaptive', '--json']);
  expect({ code, stderr }).toMatchObject({ code: 3 });
  const { error, task, kept } = JSON.parse(stdout);
  expect(error.code).toBe('too_many_rounds');
  expect(readFileSync(kept, 'utf8')).toContain('What I have so far');
  const [open] = await inbox(at);
  expect(open?.questions).toMatchObject([{ text: 'Round 6?' }]);
  expect(error.message).toContain(`fermata answer ${open?.id} VALUE`);
  expect(error.message).toContain(`Continue with: rslph plan --resume ${task}`);
  await fermata(['answer', open?.id ?? '', 'answer 6'], at);
  const resumed = await fermata(['plan', '--resume', task], { ...at, as: 'rslph' });
  expect({ ...resumed }, resumed.stderr).toMatchObject({ code: 0 });
  expect(resumed.stderr).toContain(' 6 rounds of questions; 700 tokens in, ');
  expect(answers(at)).toContain('answer 6');
  expect(progressOf(at)).toContain('- [ ] Start');
});

longTest(
  'SEED-2 two answers at once after the fifth round, and a crash after that: one counts, and the agent gets it once',
  {
    timeout: 180_000,
  },
  async () => {
    const scenario = new ScenarioBuilder().asksQuestions(['Round 1?']);
    for (const n of [2, 3, 4, 5, 6, 7]) scenario.asksQuestions([`Round ${n}?`]);
    const at = project(scenario.respondsWithText('# Progress: Shop\n\n## Tasks\n\n- [ ] Start\n'));
    const start = (...args: string[]) => startFermata(['plan', ...args], { ...at, as: 'rslph' });
    const planning = start('--adaptive', IDEA[0], '--agent', 'scripted', '--json');
    planning.child.stdin?.end([1, 2, 3, 4, 5].map((n) => `answer ${n}\n`).join(''));
    const sixth = await askedIn(at, planning, 'Round 6?');
    const both = await Promise.all(['left', 'right'].map((answer) => fermata(['answer', sixth, answer], at)));
    const { code, stdout } = await planning.ended;
    expect(code).toBe(3);
    expect(both.map((each) => each.code).sort()).toEqual([0, 1]);
    const winner = both[0]?.code === 0 ? 'left' : 'right';
    const { task } = JSON.parse(stdout);

    const resumed = start('--resume', task);
    const seventh = await askedIn(at, resumed, 'Round 7?');
    resumed.child.kill('SIGKILL');
    await resumed.ended;
    expect((await fermata(['answer', seventh, 'answer 7'], at)).code).toBe(0);
    const last = await fermata(['plan', '--resume', task], { ...at, as: 'rslph' });
    expect(last, last.stderr).toMatchObject({ code: 0 });
    expect(last.stderr).toContain('7 rounds of questions');
    expect(answers(at).slice(-2)).toEqual([winner, 'answer 7']);
    expect(answers(at)).toHaveLength(7);
    expect(progressOf(at)).toContain('- [ ] Start');
  },
);

describe("SEED-3 a program that prints only the seed's events, reads nothing and exits", () => {
  const asking = [
    { type: 'system', subtype: 'init', session_id: 'fa0f513d-ca3f-447f-aaa3-9d12ffb6a75f', tools: [] },
    {
      type: 'assistant',
      message: {
        id: 'msg_abc123',
        role: 'assistant',
        content: [
          {
            type: 'tool_use',
            id: 'toolu_0001',
            name: 'AskUserQuestion',
            input: { questions: ['What programming language?', 'What database?'] },
          },
        ],
        stop_reason: 'tool_use',
        usage: { input_tokens: 1000, output_tokens: 150 },
      },
    },
  ];
  const resumed = [
    asking[0],
    {
      type: 'assistant',
      message: {
        id: 'msg_2',
        role: 'assistant',
        content: [{ type: 'text', text: '# Progress: Seed\n\n## Tasks\n\n- [ ] Start\n' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 200, output_tokens: 50 },
      },
    },
  ];
  const result = { type: 'result', subtype: 'success', is_error: false, result: '' };
  const lines = (events: readonly unknown[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');

  function program(at: Place, last: readonly object[]): string {
    const folder = join(at.cwd, '..');
    writeFileSync(join(folder, 'asking'), lines([...asking, ...last]));
    writeFileSync(join(folder, 'resumed'), lines([...resumed, ...last]));
    const path = join(folder, 'claude');
    const script = `#!/bin/sh
echo "$*" >> '${folder}/calls'
case " $* " in *" --resume fa0f513d-"*) cat '${folder}/resumed' ;; *) cat '${folder}/asking' ;; esac
`;
    writeFileSync(path, script, { mode: 0o755 });
    return path;
  }

  async function isHeard([agent, last]: readonly [string, readonly object[]]): Promise<void> {
    const at = project(calculator());
    const args = ['plan', '--adaptive', IDEA[0], '--agent', agent, '--agent-command', program(at, last)];
    const running = startFermata(args, { ...at, as: 'rslph' });
    running.child.stdin?.end();
    const { id, questions } = await question(at, running, []);
    expect(questions.map(({ text }) => text)).toEqual(['What programming language?', 'What database?']);
    expect((await fermata(['answer', id, 'Rust', 'PostgreSQL'], at)).code).toBe(0);
    const { code, stderr } = await running.ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(progressOf(at)).toMatch(/^# Progress: Seed\n/);
    expect(stderr).toContain(' 1 round of questions; 1200 tokens in, 200 out.');
    expect(readFileSync(join(at.cwd, '../calls'), 'utf8').match(/--resume/g)).toHaveLength(1);
  }

  const cells = [
    ['claude', []],
    ['claude', [result]],
    ['claude-text', []],
    ['claude-text', [result]],
  ] as const;
  test.each(cells.slice(0, 1))('is heard: agent %s, ending with %j', (...cell) => isHeard(cell));
  longTest.each(cells.slice(1))('is heard: agent %s, ending with %j', (...cell) => isHeard(cell));
});

describe('SEED-3 FAKE_CLAUDE_CONFIG', () => {
  test.each(['claude', 'claude-text'])(
    'reaches the agent %s whose program is the scripted one',
    async (agent) => {
      const at = project(interactivePlanning());
      const link = join(at.cwd, '..', 'claude');
      symlinkSync(scriptedAgentProgram(), link);
      const args = ['plan', '--adaptive', IDEA[0], '--agent', agent, '--agent-command', link];
      const { code, stderr } = await fermata(args, { ...at, as: 'rslph', input: 'Rust\nSQLite\n' });
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(progressOf(at)).toMatch(/^# Progress: Interactive Test\n/);
    },
  );

  test("a scenario file of the ancestor's shape is played", async () => {
    const at = project(calculator());
    const assistant = (block: object) => ({
      type: 'assistant',
      message: {
        id: 'msg_1',
        role: 'assistant',
        content: [block],
        stop_reason: 'tool_use',
        usage: { input_tokens: 1234, output_tokens: 567 },
      },
      uuid: 'u',
    });
    const init = { type: 'system', subtype: 'init', session_id: 'test-session-123' };
    const ask = {
      type: 'tool_use',
      id: 'toolu_0001',
      name: 'AskUserQuestion',
      input: { questions: ['What database?'] },
    };
    const text = '# Progress: Ancestor\n\n## Tasks\n\n### Phase 1: A\n\n- [ ] B\n';
    const config = {
      counter_path: join(at.cwd, '..', 'counter'),
      invocations: [
        { events: [init, assistant(ask)], token_config: { input_tokens: 100, output_tokens: 50 } },
        { events: [init, assistant({ type: 'text', text })], delay_ms: 1 },
      ],
    };
    writeFileSync(join(at.cwd, 'fake.json'), JSON.stringify(config));
    const env = { ...at.env, FAKE_CLAUDE_CONFIG: join(at.cwd, 'fake.json') };
    const { code, stderr } = await plan({ ...at, env }, { input: 'SQLite\n' });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(progressOf(at)).toContain('# Progress: Ancestor');
    expect(stderr).toContain(' 1334 tokens in, 617 out.');
    writeFileSync(
      join(at.cwd, 'fake.json'),
      JSON.stringify({ ...config, invocations: [{ events: 'none' }] }),
    );
    const wrong = await plan({ ...at, env }, {}, ['--adaptive', '--output', 'plans/other']);
    expect(wrong.code).toBe(4);
    expect(wrong.stderr).toContain('fake.json lists events, but invocations.0.events is wrong');
  });
});

test('SEED-5 standard planning answers with the earlier decision, assumes the rest, and asks nobody', async () => {
  const at = project(
    new ScenarioBuilder()
      .asksQuestions(['Which database?'])
      .respondsWithText('# Progress: Shop\n\n## Tasks\n\n- [ ] Use {{answer:q1}}\n')
      .nextInvocation()
      .asksQuestions(['Which database?', 'Which colour?'])
      .respondsWithText('# Progress: Shop\n\n## Tasks\n\n- [ ] Start\n'),
  );
  expect((await plan(at, { input: 'PostgreSQL\n' })).code).toBe(0);
  const { code, stderr, stdout } = await plan(at, {}, ['--output', 'plans/again', '--json']);
  expect({ code, stdout }).toMatchObject({ code: 0 });
  expect(stderr).not.toMatch(/fermata answer|The agent asks/);
  const [, second] = at.handle.invocations();
  expect(second?.prompt).toContain('# What a person decided before\n\n- Which database? → PostgreSQL\n');
  expect(answers(at).at(-2)).toBe('PostgreSQL');
  expect(answers(at).at(-1)).toMatch(/^This run cannot ask anyone/);
  const master = readFileSync(join(at.cwd, 'plans/again/MASTER_PLAN.md'), 'utf8');
  expect(master).toContain(
    '- Which database? (asked by the agent, answered with an earlier decision: PostgreSQL;',
  );
  expect(master).toContain('- Which colour? (asked by the agent, answered with "assume";');
});

test('BIND-3 SEED-1 a second plan of the same idea asks again, and offers the earlier decisions', async () => {
  const at = project(interactivePlanning());
  expect((await plan(at, { input: 'Rust\nPostgreSQL\n' })).code).toBe(0);
  const again = place(interactivePlanning());
  const env = { ...at.env, FAKE_CLAUDE_CONFIG: again.env.FAKE_CLAUDE_CONFIG ?? '' };
  rmSync(join(at.cwd, 'plans'), { recursive: true });
  const running = startPlan({ ...at, env });
  running.child.stdin?.end();
  const { id, questions } = await question(at, running, []);
  expect(questions).toMatchObject([{ earlier: { answer: 'Rust' } }, { earlier: { answer: 'PostgreSQL' } }]);
  expect((await fermata(['answer', id, 'Go', 'MySQL'], at)).code).toBe(0);
  expect(await running.ended).toMatchObject({ code: 0 });
  expect(answers(again)).toEqual(['Go', 'MySQL']);
});

function project(scenario: ScenarioBuilder): Place {
  const at = place(scenario);
  writeFileSync(join(at.cwd, IDEA[0]), IDEA[1]);
  return at;
}

const plan = (at: Pick<Place, 'cwd' | 'env'>, more: Options, flags = ['--adaptive']) =>
  fermata(['plan', ...flags, IDEA[0], '--agent', 'scripted'], {
    cwd: at.cwd,
    env: at.env,
    as: 'rslph',
    ...more,
  });

interface Planned {
  code: number | null;
  stderr: string;
  /** The questions, if whoever answers sees them. */
  asked?: string[];
}

const answerOnStdin = (at: Place, answers: string[]): Promise<Planned> =>
  plan(at, { input: answers.map((answer) => `${answer}\n`).join('') });

async function answerOverPipe(at: Place, answers: string[]): Promise<Planned> {
  const running = startPlan({ ...at, env: { ...at.env, FERMATA_QA_PIPE: '1' } });
  const asked: string[] = [];
  for (const answer of answers) {
    const lines = (await running.shows(new RegExp(`(.*\\n){${asked.length + 1}}`))).trim().split('\n');
    const { question: text, gap_type } = JSON.parse(lines[asked.length] ?? '');
    asked.push(text);
    running.child.stdin?.write(`${JSON.stringify({ type: 'answer', gap_type, answer })}\n`);
  }
  const { code, stdout, stderr } = await running.ended;
  expect(stdout.split('\n').filter(Boolean)).toHaveLength(asked.length);
  return { code, stderr, asked };
}

async function answerHeadless(at: Place, answers: string[]): Promise<Planned> {
  const running = startPlan(at);
  running.child.stdin?.end();
  const seen: string[] = [];
  const asked: string[] = [];
  while (asked.length < answers.length) {
    const { id, questions } = await question(at, running, seen);
    seen.push(id);
    const own = answers.slice(asked.length, asked.length + questions.length);
    asked.push(...questions.map(({ text }) => text));
    await fermata(['answer', id, ...own], at);
  }
  const { code, stderr } = await running.ended;
  return { code, stderr, asked };
}

const startPlan = (at: Pick<Place, 'cwd' | 'env'>) =>
  startFermata(['plan', '--adaptive', IDEA[0], '--agent', 'scripted'], { ...at, as: 'rslph' });

/** Waits until the running program has asked this, and returns the id of the question. */
async function askedIn(at: Place, running: Running, text: string): Promise<string> {
  const seen: string[] = [];
  for (;;) {
    const { id, questions } = await question(at, running, seen);
    if (questions[0]?.text === text) return id;
    seen.push(id);
  }
}

const answers = (at: Place) => at.handle.answers().map(({ answer }) => answer);

function progressOf({ cwd }: Pick<Place, 'cwd'>): string {
  const [name = ''] = readdirSync(join(cwd, 'plans'));
  return readFileSync(join(cwd, 'plans', name, 'progress.md'), 'utf8');
}
