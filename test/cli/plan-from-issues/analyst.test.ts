import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScenarioBuilder } from '../../../src/testing.ts';
import { LONG, library, PLAN } from './support/place.ts';

const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8];

/** What the Analyst says: one question about #8, nothing about the others, and nothing of the rules stays. */
function judgement(numbers = NUMBERS, question = 'Which limit must #8 keep?') {
  const types = ['acceptance_criteria', 'validation', 'scope', 'context', 'tech_stack', 'dependencies'];
  const dropped = types.map((type) => ({ type, reason: 'The code shows it.' }));
  const asked = {
    type: 'scope',
    question,
    quote: 'the',
    options: ['A hundred', 'A thousand'],
    assumed: 'A hundred',
  };
  const gaps = (number: number) => (number === numbers.at(-1) ? [asked] : []);
  return JSON.stringify({ issues: numbers.map((number) => ({ number, gaps: gaps(number), dropped })) });
}

const says = (...texts: string[]) => {
  const agent = new ScenarioBuilder();
  texts.forEach((text, index) => {
    if (index > 0) agent.nextInvocation();
    agent.respondsWithText(text);
  });
  return agent;
};

function place(...texts: string[]) {
  const there = library(says(...texts));
  writeFileSync(join(there.cwd, 'fermata.config.json'), '{"analysis":"agent"}\n');
  return { ...there, plan: (...args: string[]) => there.run('--trust', ...args) };
}

const analyses = (prompts: string[]) => prompts.filter((prompt) => prompt.startsWith('You are the Analyst.'));

test(
  'ATT-1 the Analyst decides what is asked, its work is a task, and issues that did not change are not judged again',
  async () => {
    const there = place(judgement(), PLAN, PLAN);
    const first = await there.plan();
    expect(first.code).toBe(3);
    const [asked, ...others] = await there.inbox();
    expect(asked?.questions[0]?.text).toBe('Which limit must #8 keep?');
    expect(others).toEqual([]);
    expect(first.stderr).toContain('Not asked, although the rules would');
    const tasks = JSON.parse(
      (await there.fermata('tasks', 'list', '--kind', 'analyze', '--format', 'json')).stdout,
    );
    expect(tasks.tasks ?? tasks).toMatchObject([{ kind: 'analyze', status: 'closed' }]);
    await there.fermata('answer', asked?.id ?? '', 'A thousand');
    expect((await there.plan()).code).toBe(0);
    expect(analyses(there.prompts())).toHaveLength(1);
    expect(there.read()).toContain('A thousand');
  },
  LONG,
);

test.each([
  ['prose', 'I see no gaps.'],
  ['other issues', judgement([101, 102])],
])(
  'ATT-1 an Analyst that answers with %s costs nothing: the rules decide, and one line says so',
  async (_, text) => {
    const there = place(text, text, PLAN);
    const { code, stderr } = await there.plan();
    expect(code).toBe(3);
    expect((await there.inbox()).length).toBe(there.questions().slice(0, 7).length);
    expect(stderr).toContain('The rules alone decide');
  },
  LONG,
);

test(
  'ATT-1 only a changed issue is judged again',
  async () => {
    const there = place(judgement(), PLAN, judgement([1], 'Which limit must #1 keep?'), PLAN);
    await there.plan();
    const changed = join(there.cwd, 'issues');
    const { readdirSync, appendFileSync } = await import('node:fs');
    const file = readdirSync(changed).find((name) => name.startsWith('01')) ?? '';
    appendFileSync(join(changed, file), '\nAlso on Sundays.\n');
    await there.plan();
    const [, again = ''] = analyses(there.prompts());
    expect(again).toContain('<issue number="1"');
    expect(again).not.toContain('<issue number="2"');
  },
  LONG,
);

test(
  'ATT-1 answers from a file are for the questions of the rules',
  async () => {
    const there = place(PLAN);
    writeFileSync(join(there.cwd, 'answers.json'), '{"answers":[]}');
    await there.plan('--answers-file', 'answers.json');
    expect(analyses(there.prompts())).toEqual([]);
  },
  LONG,
);
