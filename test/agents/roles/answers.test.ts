import { describe, expect, it } from 'vitest';
import { readAnalyst } from '../../../src/agents/roles/analyst-answer.ts';
import { readDreamer } from '../../../src/agents/roles/dreamer-answer.ts';
import { freshQuestions, isConfirmation } from '../../../src/agents/roles/fresh-questions.ts';
import { readPlanner } from '../../../src/agents/roles/planner-answer.ts';

const question = (text: string, more = {}) => ({ id: text, text, createdAt: '', ...more });

describe('one parser for all roles', () => {
  it('ROLE-1 finds the answer anywhere in the text, after other objects and in a fence', () => {
    const text = 'I looked: {"files": 3}.\n```json\n{"tasks":[{"title":" Fix it "}]}\n```\nDone {';
    expect(readAnalyst(text)).toEqual({
      kind: 'answer',
      value: {
        category: 'other',
        summary: '',
        tasks: [{ title: 'Fix it', body: '', priority: 2, dependsOn: [] }],
      },
    });
  });

  it('ROLE-1 LED-9 questions take precedence: an answer with questions has no tasks', () => {
    for (const text of [
      '{"tasks":[{"title":"x"}],"open_questions":[{"text":"Which page?"}]}',
      '{"openQuestions":["Which page?"],"content":"x","phases":[]}',
      'First {"tasks":[{"title":"x"}]} but then {"open_questions":["Which page?"]}',
    ]) {
      for (const read of [readAnalyst, readDreamer, readPlanner]) {
        expect(read(text)).toMatchObject({ kind: 'questions', questions: [{ text: 'Which page?' }] });
      }
    }
  });

  it.each([
    [readAnalyst, 'I fixed it.', /"tasks" or "open_questions"/],
    [readAnalyst, '{"tasks":[]}', /at least one task/],
    [readAnalyst, '{"tasks":[{"body":"x"}]}', /"tasks\.0\.title"/],
    [readAnalyst, '{"tasks":[{"title":"a","dependsOn":[0]}]}', /depend on each other/],
    [readAnalyst, '{"tasks":[{"title":"a","dependsOn":[7]}]}', /positions/],
    [readAnalyst, '{"open_questions":[{"id":"a"}]}', /"tasks" or/],
    [readDreamer, '{"content":"  "}', /empty/],
    [readPlanner, '{"phases":[]}', /"title"/],
    [readPlanner, '{"title":"t","phases":[{"title":"p","tasks":[]}]}', /at least one task/],
    [
      readPlanner,
      JSON.stringify({ title: 't', phases: [{ title: 'p', tasks: Array.from({ length: 17 }, () => 'x') }] }),
      /17 tasks, 2 more than the limit of 15/,
    ],
  ])('ROLE-1 what cannot be used is told: %s %s', (read, text, reason) => {
    expect(read(text)).toMatchObject({ kind: 'unreadable', reason: expect.stringMatching(reason) });
  });
});

describe('questions are asked once', () => {
  it('LED-9 a question of this cycle is not asked again, however it is written', () => {
    const before = [question('Which page is meant?')];
    const asked = [
      question('which  PAGE is meant', { options: [{ label: 'Home' }] }),
      question('What colour?'),
      question('What colour?'),
    ];
    expect(freshQuestions(asked, before).map(({ text }) => text)).toEqual(['What colour?']);
  });

  it('LED-9 "are you sure" comes at most once', () => {
    const sure = question('Are you sure that it should go?');
    const again = question('Do you really want this?');
    expect(freshQuestions([sure, again], [])).toEqual([sure]);
    expect(freshQuestions([again, question('Why?')], [sure]).map(({ text }) => text)).toEqual(['Why?']);
  });

  it.each(['Is this correct?', 'Please confirm the removal.', 'Shall I proceed?'])(
    'LED-9 "%s" only asks for a yes',
    (text) => expect(isConfirmation({ text })).toBe(true),
  );

  it.each(['Which colour?', 'How sure must the check be?', 'Should the button confirm the order?'])(
    'LED-9 "%s" asks for something',
    (text) => expect(isConfirmation({ text })).toBe(false),
  );
});
