import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Notification } from '../../src/schema/notification.ts';
import type { Task } from '../../src/schema/task.ts';
import { fermata } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';
import { inTerminal } from '../support/pty.ts';
import { rolePlace, says } from './support/role-place.ts';

const QUESTIONS = JSON.stringify({
  open_questions: [{ id: 'page', text: 'Which page?', options: [{ label: 'Home' }, { label: 'Search' }] }],
});
const TASKS = JSON.stringify({
  category: 'ux',
  summary: 'Filters are kept.',
  tasks: [
    { title: 'Keep the filters', dependsOn: [1] },
    { title: 'Store them', priority: 1 },
  ],
});

const place = (...answers: string[]) => rolePlace(says(...answers));
type Place = ReturnType<typeof place>;

const add = (at: Place, ...args: string[]) =>
  fermata(['feedback', 'add', ...args, '--agent', 'scripted', '--json'], at);
const prompts = ({ handle }: Place) => handle.invocations().map(({ prompt }) => prompt ?? '');
const inbox = async (at: Place): Promise<Notification[]> =>
  JSON.parse((await fermata(['inbox', '--json'], at)).stdout).notifications;
const tasks = async (at: Place): Promise<Task[]> =>
  JSON.parse((await fermata(['tasks', 'list', '--kind', 'task', '--json'], at)).stdout).tasks;

describe('CLI-feedback', () => {
  test('LED-9 CLI-EXIT-0 clear feedback becomes tasks', async () => {
    const at = place(`Here you are:\n${TASKS}`);
    const { code, stdout } = await add(at, 'The search forgets', 'my filters');
    expect(code).toBe(0);
    const { feedback } = JSON.parse(stdout);
    expect(feedback).toMatchObject({
      status: 'done',
      text: 'The search forgets my filters',
      result: { category: 'ux', summary: 'Filters are kept.', tasks: ['t2', 't3'] },
    });
    expect(await tasks(at)).toMatchObject([
      { id: 't2', dependsOn: ['t3'] },
      { id: 't3', priority: 1 },
    ]);
    expect(await inbox(at)).toEqual([]);
    const [prompt] = prompts(at);
    expect(prompt).toContain('The search forgets my filters');
    expect(prompt).toContain('- Scope changes: Confirm all changes before proceeding');
    expect(prompt).toContain('- Dependency modifications: Notify user but proceed');
    expect(prompt).toContain('"open_questions"');
  });

  test('LED-9 CLI-EXIT-3 vague feedback becomes questions and no tasks until they are answered', async () => {
    const at = place(QUESTIONS, TASKS);
    const first = await add(at, 'Make it nicer');
    expect(first.code).toBe(3);
    expect(first.stderr).toMatch(
      /Which page\?\n {4}1\) Home {2}2\) Search\n {2}fermata answer n-\w+ VALUE\nThen: fermata feedback add --resume f-/,
    );
    const { feedback: consultation, questions } = JSON.parse(first.stdout);
    expect(questions).toMatchObject([{ source: 'eval', sourceId: consultation.id, status: 'open' }]);
    expect(await tasks(at)).toEqual([]);
    expect((await add(at, '--resume')).code).toBe(3);
    const other = await fermata(['feedback', 'add', '--resume', '--agent', 'codex'], at);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('was started with scripted')]);
    expect(prompts(at), 'an open question starts no agent').toHaveLength(1);

    await fermata(['answer', questions[0].id, 'Search'], at);
    const shown = await fermata(['feedback', 'show', consultation.id.slice(0, 5)], at);
    expect(shown.stdout).toMatch(/answered[\s\S]*Q: Which page\?\n {2}A: Search/);
    expect(shown.stderr).toContain(`fermata feedback add --resume ${consultation.id}`);
    const second = await add(at, '--resume', consultation.id);
    expect([second.code, JSON.parse(second.stdout).feedback.result.tasks]).toEqual([0, ['t2', 't3']]);
    expect(prompts(at)[1]).toMatch(/Q: Which page\?\nA: Search/);
    const asked = JSON.parse((await fermata(['feedback', 'show', consultation.id, '--json'], at)).stdout);
    expect(asked.questions).toMatchObject([{ status: 'delivered', outcome: 'answered' }]);
    const again = await add(at, '--resume', consultation.id);
    expect([again.code, (await tasks(at)).length]).toEqual([0, 2]);
  });

  test('LED-9 an answered question is not asked again: the agent gets the answer once, then it continues', async () => {
    const at = place(QUESTIONS, QUESTIONS.replace('Which page?', 'which PAGE'), TASKS);
    const { feedback: consultation, questions } = JSON.parse((await add(at, 'Make it nicer')).stdout);
    await fermata(['answer', questions[0].id, 'Home'], at);
    const { code } = await add(at, '--resume', consultation.id);
    expect(code).toBe(0);
    expect(prompts(at)[2]).toContain('You already asked this.');
    expect(await inbox(at)).toEqual([]);
  });

  test('ROLE-1 CLI-EXIT-1 an answer that cannot be read is repaired in one round, or kept', async () => {
    const at = place('I fixed it for you!', '{"tasks":[]}', TASKS);
    const { code, stdout, stderr } = await add(at, 'The search forgets my filters');
    expect(code).toBe(1);
    const [, repair] = prompts(at);
    expect(repair).toMatch(/could not be used[\s\S]*I fixed it for you!/);
    expect(JSON.parse(stdout).error.code).toBe('unreadable');
    const kept = /kept in (.+?)\.(?:\s|$)/.exec(stderr)?.[1] ?? '';
    expect(readFileSync(kept, 'utf8')).toBe('{"tasks":[]}');
    expect((await add(at, '--resume')).code, 'another try').toBe(0);
    expect(await tasks(at)).toHaveLength(2);
  });

  test('ROLE-3 LED-10 questions that the project leaves to its agents are decided automatically, and the agent continues', async () => {
    const question = {
      text: 'Which shape?',
      category: 'architecture',
      options: ['A', 'B'],
      recommended: 'B',
    };
    const at = place(JSON.stringify({ open_questions: [question] }), TASKS);
    await fermata(['config', 'set', 'hilConfig', 'full'], at);
    const { code } = await add(at, 'A new shape');
    expect(code).toBe(0);
    expect(prompts(at)[1]).toMatch(/Q: Which shape\?\nA: B/);
  });

  test('CLI-EXIT-4 an agent that cannot be run leaves it open', async () => {
    const at = place(TASKS);
    const { code, stderr } = await fermata(
      ['feedback', 'add', 'x', '--agent', 'command', '--agent-command', 'no-such-program'],
      at,
    );
    expect(code).toBe(4);
    expect(stderr).toMatch(/no-such-program[\s\S]*Retry with: .*--resume f-\w+/);
    const { stdout } = await fermata(['feedback', 'list', '--json'], at);
    expect(JSON.parse(stdout).feedback).toMatchObject([{ state: 'open', text: 'x' }]);
  });

  test.each([
    [['--agent', 'foo'], /Unknown agent "foo"/],
    [['--agent', 'command'], /needs --agent-command/],
    [['--agent', 'scripted', '--timeout', 'soon'], /--timeout/],
  ])('CLI-EXIT-2 refused feedback is not stored: %s', async (args, message) => {
    const at = place(TASKS);
    const { code, stderr } = await fermata(['feedback', 'add', 'x', ...args], at);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    const { stdout } = await fermata(['feedback', 'list', '--json'], at);
    expect(JSON.parse(stdout).feedback).toEqual([]);
  });

  test('LED-9 another program can continue it', async () => {
    const at = place();
    const summary = JSON.stringify({ ...JSON.parse(TASKS), summary: undefined });
    const program = join(at.cwd, 'agent.sh');
    writeFileSync(program, `#!/bin/sh\ncat >/dev/null\necho '${summary}'\n`, { mode: 0o755 });
    const begun = ['--agent', 'command', '--agent-command', 'no-such-program'];
    expect((await fermata(['feedback', 'add', 'x', ...begun], at)).code).toBe(4);
    const { code, stderr } = await fermata(['feedback', 'add', '--resume', '--agent-command', program], at);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/2 tasks added\.\n$/)]);
  });

  longTest('in a terminal the questions are asked there, and it continues', async () => {
    const at = place(QUESTIONS, TASKS);
    const terminal = inTerminal(['feedback', 'add', 'Make it nicer', '--agent', 'scripted'], at);
    await terminal.shows(/Which page\?[\s\S]*› /);
    terminal.type('2\r');
    await terminal.shows(/2 tasks added/);
    expect(await terminal.ended).toBe(0);
    expect(prompts(at)[1]).toContain('A: Search');
  });

  longTest('questions that are still open are asked in the terminal that continues it', async () => {
    const at = place(QUESTIONS, TASKS);
    expect((await add(at, 'Make it nicer')).code).toBe(3);
    const terminal = inTerminal(['feedback', 'add', '--resume'], at);
    await terminal.shows(/Which page\?[\s\S]*› /);
    terminal.type('2\r');
    await terminal.shows(/2 tasks added/);
    expect(await terminal.ended).toBe(0);
  });

  test('ROLE-1 a project can have its own prompt, and Fermata appends what an agent must know', async () => {
    const at = place(TASKS);
    const folder = join(at.cwd, '.claude/fermata/prompts');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'analyst.md'), 'We are a library. Feedback: {{input}} {{unknown}}');
    await add(at, 'Use {{autonomy}} wisely');
    const [prompt] = prompts(at);
    expect(prompt).toMatch(/^We are a library\. Feedback: Use \{\{autonomy\}\} wisely \{\{unknown\}\}/);
    expect(prompt).toContain('Confirm all changes before proceeding');
    expect(prompt).toContain('# How to ask');
  });

  test.each([
    [['add'], 2, /The feedback is missing/],
    [['add', 'x', '--resume'], 2, /Leave out the text/],
    [['add', '--resume', 'f-nothing'], 1, /no "f-nothing"/],
    [['add', '--resume'], 1, /nothing to resume/],
    [['show', 'f-1'], 1, /no "f-1"/],
    [['lst'], 2, /has no command "lst". Did you mean "list"/],
  ])('CLI-EXIT-2 %s', async (args, code, message) => {
    const at = place(TASKS);
    const result = await fermata(['feedback', ...args], at);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toMatch(message);
  });
});
