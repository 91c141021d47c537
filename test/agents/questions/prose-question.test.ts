import { describe, expect, it } from 'vitest';
import { proseQuestions } from '../../../src/agents/questions/prose-question.ts';
import { cpuTime } from '../../support/cpu-time.ts';

const texts = (said: string) => proseQuestions(said).map(({ text }) => text);

describe('DRV-4: a question in plain words', () => {
  it.each([
    [
      'alone',
      'Which language should I use, Rust or TypeScript?',
      ['Which language should I use, Rust or TypeScript?'],
    ],
    ['after a report', 'I read the code.\n\nShould I keep the old API?', ['Should I keep the old API?']],
    ['in bold', 'Done so far.\n\n**Which database do you want?**', ['**Which database do you want?**']],
    ['with code words in it', 'Should I rename `a?b` to `c`?', ['Should I rename `a?b` to `c`?']],
    ['after a block of code', '```\nlet a = b ? c : d\n```\nShall I apply this?', ['Shall I apply this?']],
    ['in another language', 'Welche Sprache soll ich nehmen?', ['Welche Sprache soll ich nehmen?']],
  ])('is recognised %s', (_, said, expected) => {
    expect(texts(said)).toEqual(expected);
  });

  it('may be several, each of which is asked on its own, with what was said before', () => {
    const said =
      'Before I start:\n\n1. Which database?\n2. Which language\n   do you prefer?\n\n3. What about tests?';
    expect(proseQuestions(said)).toEqual([
      { text: 'Which database?', context: said },
      { text: 'Which language\ndo you prefer?', context: said },
      { text: 'What about tests?', context: said },
    ]);
  });

  it('may be followed by a sentence that asks for the answer', () => {
    const said =
      'I need to know:\n\n- Which port?\n- Which host?\n\nPlease let me know so that I can continue.';
    expect(texts(said)).toEqual(['Which port?', 'Which host?']);
    expect(texts('Should I delete it?\n\nI’m done with the rest.')).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['a statement', 'All tests pass.'],
    ['a question in the middle', 'Why did it fail? Because of the clock. I fixed it.'],
    ['an offer of more at the end', 'I fixed it. Is there anything else I can do for you?'],
    ['asking whether it helped', 'That is how it works. Does that help?'],
    ['a question in code at the end', 'The prompt is now:\n\n```\nAre you sure you want to go?\n```'],
    ['a block of code that is not closed', 'Look:\n```js\nconst really = sure ?'],
    ['inline code at the end', 'I changed the text to `Really delete it?`'],
    ['a cited question', 'The dialog now says "Do you want to save it?"'],
    ['a quoted line', 'The issue says:\n\n> Could we support Windows here?'],
    ['a heading', '# What is this about?'],
    ['an address', 'See https://example.org/search?'],
    ['a lonely mark', 'Hm ?'],
    ['an answer as JSON', '{"status":"done","summary":"Which one? Rust."}'],
    ['a comment', '// is this the right place for it?'],
  ])('is not %s', (_, said) => {
    expect(texts(said)).toEqual([]);
  });

  it('is found in a long text at once, and bounded', () => {
    const long = `${'Words and words. '.repeat(200_000)}\n\n${'why '.repeat(100_000)}not?`;
    const [question] = proseQuestions(long);
    expect(cpuTime(() => proseQuestions(long))).toBeLessThan(500);
    expect(question?.text.length).toBeLessThanOrEqual(64 * 1024);
    expect(question?.context?.length).toBeLessThanOrEqual(20_000);
    expect(proseQuestions(`${'a?'.repeat(100_000)} b`)).toEqual([]);
    expect(proseQuestions('- a?\n'.repeat(500)).length).toBeLessThanOrEqual(10);
  });
});
