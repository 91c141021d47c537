import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fermata, freshFolder } from '../support/fermata.ts';

const ANSWER = `I need to know more {than this}.

\`\`\`json
{
  "status": "FAILED",
  "summary": "two things",
  "open_questions": [
    { "id": 1, "text": "Which database?", "options": ["A", { "label": "B", "description": "+ cheap" }], "recommended": "B" },
    "Which
language?",
    { "id": "x" }
  ]
}
\`\`\`
`;

const extract = (args: string[], options: Parameters<typeof fermata>[1] = {}) =>
  fermata(['questions', 'extract', ...args], options);

describe('CLI-questions-extract', () => {
  test('LED-2 prints one document in the agreed shape', async () => {
    const cwd = freshFolder();
    writeFileSync(join(cwd, 'answer.txt'), ANSWER);
    const { code, stdout, stderr } = await extract(['answer.txt', '--format', 'json'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const createdAt = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/);
    expect(JSON.parse(stdout)).toEqual({
      status: 'failed',
      summary: 'two things',
      questions: [
        {
          id: '1',
          text: 'Which database?',
          createdAt,
          options: [{ label: 'A' }, { label: 'B', description: '+ cheap' }],
          recommended: 'B',
        },
        { id: 'q2', text: 'Which\nlanguage?', createdAt },
      ],
      dropped: [{ reason: 'no text', value: { id: 'x' } }],
    });
  });

  test.each([
    ['-', ['-']],
    ['nothing', []],
  ])('reads stdin if the file is %s', async (_, args) => {
    const { stdout } = await extract([...args, '--json'], { input: ANSWER });
    expect(JSON.parse(stdout).questions).toHaveLength(2);
  });

  test('shows a person the questions, and what was left out on stderr', async () => {
    const { code, stdout, stderr } = await extract([], {
      input: ANSWER.replace('language', 'lang\\u001b[2Juage'),
    });
    expect(code).toBe(0);
    expect(stdout).toBe('failed: two things\n1  Which database?\n  A · B*\nq2  Which\n  lang␛[2Juage?\n');
    expect(stderr).toBe('Left out (no text): {"id":"x"}\n');
  });

  test('an answer without such JSON, or without questions, is not a failure', async () => {
    const none = await extract([], { input: 'Which one?' });
    expect(none).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'The input has no JSON with "open_questions".\n',
    });
    expect((await extract([], { input: '{"status":"done"}' })).stderr).toBe('There are no open questions.\n');
    const json = await extract(['--json'], { input: '' });
    expect(JSON.parse(json.stdout)).toEqual({ status: null, questions: [], dropped: [] });
  });

  test('CLI-EXIT-2 unreadable input gets a clear message', async () => {
    const { code, stderr } = await extract(['none.txt']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'fermata: none.txt cannot be read: there is no such file.\n',
    });
  });
});
