import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findObject } from '../../../src/agents/questions/find-json.ts';
import { extractOpenQuestions } from '../../../src/agents/questions/open-questions.ts';
import { limits } from '../../../src/schema/limits.ts';
import { cpuTime } from '../../support/cpu-time.ts';
import { cases } from '../../support/long.ts';

const AT = '2026-05-06T07:08:09.000Z';
const answer = {
  status: 'Failed',
  summary: ' need input ',
  open_questions: [{ id: 7, text: 'Which {one}?' }],
};
const json = JSON.stringify(answer);
const texts = (text: string) => extractOpenQuestions(text, AT).questions.map((question) => question.text);

describe('open questions in an answer', () => {
  it('LED-2 come with status in lower case, summary, ids as texts and a time', () => {
    expect(extractOpenQuestions(json, AT)).toEqual({
      status: 'failed',
      summary: 'need input',
      questions: [{ id: '7', text: 'Which {one}?', createdAt: AT }],
      dropped: [],
    });
  });

  it('LED-2 if nothing is asked, the object that says so wins over one with only a status', () => {
    const said = '{"status":"working"} {"summary":"All clear.","open_questions":[]}';
    expect(extractOpenQuestions(said, AT)).toEqual({
      status: null,
      summary: 'All clear.',
      questions: [],
      dropped: [],
    });
  });

  it.each([
    ['prose around it', `I am not sure.\n${json}\nThat is all.`],
    ['a code fence', `Here:\n\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\`\n`],
    ['other objects before it', `{"note":{"a":[1,{}]}} [{"b":2}] ${json}`],
    ['an empty object and placeholders before it', `{} {x} {{name}} \${HOME} ${json}`],
    ['an unbalanced brace before it', `use { here, and if (a) { b(); ${json}`],
    ['a brace and a quote before it', `he said {"open and then: ${json}`],
    ['a broken object before it', `{"status":"failed","open_questions":[oops]} ${json}`],
    ['an object that breaks off before it', `{"a":{"b":[1,2,{"c":"d",${json}`],
    ['an unterminated text before it', `{"a":"never closed ${json}`],
    ['no end of what is around it', `{"result":${json},"more":`],
    ['another object around it', `{"result":{"deep":[${json}]}}`],
    ['a result of another program around it', JSON.stringify({ type: 'result', result: `Sure:\n${json}` })],
    ['one that asks nothing before it', `{"open_questions":[]} {"status":"ok"} ${json}`],
    ['entries under the other name that are none', json.replace('"open_q', '"openQuestions":[null],"open_q')],
    ['a comma after its last entry', json.replace(/\]\}$/, ',],}')],
    ['bytes in front', `\uFEFF\u0000\u001b[1m${json}`],
    ['CRLF', JSON.stringify(answer, null, 2).replaceAll('\n', '\r\n')],
  ])('LED-2 are found with %s', (_, text) => {
    expect(extractOpenQuestions(text, AT)).toMatchObject({ status: 'failed', questions: [{ id: '7' }] });
    expect(texts(text)).toEqual(['Which {one}?']);
  });

  it('LED-2 keep a backslash that escapes nothing', () => {
    expect(texts('{"open_questions":["Is \\d+ or C:\\Users\\ux meant?"]}')).toEqual([
      'Is \\d+ or C:\\Users\\ux meant?',
    ]);
  });

  it('LED-2 keep raw control characters in their texts', () => {
    expect(texts('{"open_questions":["a\nb\tc\u0000d", "e\\n\\u0041"]}')).toEqual(['a\nb\tc\u0000d', 'e\nA']);
  });

  it('LED-2 come from the snake-case name if both names are present, unless it is empty', () => {
    expect(texts('{"open_questions":["a"],"openQuestions":["b"]}')).toEqual(['a']);
    expect(texts('{"open_questions":[],"openQuestions":["b"]}')).toEqual(['b']);
    expect(texts('{"open_questions":null,"openQuestions":["b"]}')).toEqual(['b']);
  });

  it('LED-2 may be a single one', () => {
    expect(texts('{"open_questions":"Which?"}')).toEqual(['Which?']);
    expect(texts('{"open_questions":{"text":"Which?"}}')).toEqual(['Which?']);
  });

  it('LED-2 get the status of the object around them if they have none', () => {
    const text = '{"status":"BLOCKED","summary":"s","result":{"open_questions":["Which?"]}}';
    expect(extractOpenQuestions(text)).toMatchObject({ status: 'blocked', summary: 's' });
  });

  it('LED-2 keep options, multiple choice, category and recommendation', () => {
    const question = {
      id: 'db',
      text: 'Which database?',
      header: 'Database',
      options: [{ label: 'A', description: '+ fast\n- new' }, 'B'],
      multiSelect: true,
      recommended: 'A',
      category: 'architecture',
    };
    const { questions } = extractOpenQuestions(JSON.stringify({ open_questions: [question] }), AT);
    expect(questions).toEqual([
      {
        id: 'db',
        text: 'Which database?',
        createdAt: AT,
        header: 'Database',
        options: [{ label: 'A', description: '+ fast\n- new' }, { label: 'B' }],
        multi: true,
        recommended: 'A',
        category: 'architecture',
      },
    ]);
  });

  it('LED-2 that break a limit are dropped with the reason, and the others stay', () => {
    const long = { text: 'x'.repeat(limits.questionText + 1) };
    const many = { text: 'A?', options: Array.from({ length: limits.options + 1 }, (_, i) => `o${i}`) };
    const { questions, dropped } = extractOpenQuestions(
      JSON.stringify({ open_questions: [long, 'ok', many, 7] }),
    );
    expect(questions.map(({ id, text }) => [id, text])).toEqual([['q1', 'ok']]);
    expect(dropped.map(({ reason }) => reason)).toEqual([
      'not a question (expected an object or a string)',
      expect.stringMatching(/^the text has 65537 characters/),
      expect.stringMatching(/has 101 options; at most 100/),
    ]);
    const all = extractOpenQuestions(JSON.stringify({ open_questions: Array(150).fill('A?') }));
    expect([all.questions.length, all.dropped.length]).toEqual([limits.questions, 50]);
  });

  it('LED-2 in a quotation of another answer do not count if the answer has its own status', () => {
    const text = JSON.stringify({ status: 'done', notes: `I did not write ${json}` });
    expect(extractOpenQuestions(text)).toEqual({ status: 'done', questions: [], dropped: [] });
  });

  it('LED-2 an answer without questions is recognized as such', () => {
    for (const text of ['', '  ', 'Which one?', '{', '{"a":1}', '[]', 'null']) {
      expect(extractOpenQuestions(text)).toEqual({ status: null, questions: [], dropped: [] });
    }
  });
});

describe('the first object that fits', () => {
  const first = (text: string) => findObject(text, (object) => 'k' in object)?.object;

  it('is the outer one before an inner one, and an earlier one before a later one', () => {
    expect(first('{"k":{"k":1}} {"k":2}')).toEqual({ k: { k: 1 } });
    expect(first('{"a":[{"b":1},{"k":3}],"c":{"k":4}}')).toEqual({ k: 3 });
    expect(findObject('{"a":{"k":1}}', (object) => 'k' in object)?.root).toEqual({ a: { k: 1 } });
  });

  it('keeps keys that are special to programs', () => {
    expect(Object.keys(first('{"__proto__":1,"k":2,"constructor":3}') ?? {})).toEqual([
      '__proto__',
      'k',
      'constructor',
    ]);
  });

  it('is found after any prose that contains no complete object', () => {
    const prose = fc.array(
      fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'a', '1', ' ', '\n', '{"a":', 'null'),
    );
    fc.assert(
      fc.property(prose, prose, (before, after) => {
        const text = `${before.join('')}\n{"k":"v"} ${after.join('')}`;
        expect(first(text)).toMatchObject({ k: expect.anything() });
      }),
      { numRuns: cases(3000) },
    );
  });

  it('is what JSON.parse reads, whatever the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(4), (value, space) => {
        const object = { k: value };
        expect(first(`text ${JSON.stringify(object, null, space)} text`)).toEqual(
          JSON.parse(JSON.stringify(object)),
        );
      }),
    );
  });

  it.each([
    ['braces', '{'.repeat(100_000)],
    ['objects that are never closed', '{"a":'.repeat(20_000)],
    ['lists that are never closed', `{"a":${'['.repeat(100_000)}`],
    ['objects that break at the end', `${'{"a":'.repeat(20_000)}oops${'}'.repeat(20_000)}`],
    ['quotes', '{"'.repeat(50_000)],
    ['texts with braces', '{"{":"{",'.repeat(10_000)],
    ['texts that are gaps and gaps that are texts', `{${'":":"{",'.repeat(12_000)}`],
    ['other gaps', '{":{":'.repeat(16_000)],
    ['line breaks in broken texts', '{"a":["\n",{"b":"\n"},'.repeat(5_000)],
    ['backslashes', `{"a":"${'\\'.repeat(100_000)}`],
    ['spaces', `{${' '.repeat(100_000)}`],
    ['small objects', '{"a":1}'.repeat(15_000)],
  ])('takes no more time than the length of the text asks for: %s', (_, text) => {
    const took = cpuTime(() => {
      expect(first(text)).toBeUndefined();
      expect(extractOpenQuestions(text).questions).toEqual([]);
    });
    expect(took).toBeLessThan(2000);
  });
});
