import { expect, it } from 'vitest';
import { permissionQuestion } from '../../../src/agents/questions/permission-question.ts';

it("each text of a tool's input is shown separately, and the agent's comment on it comes last (BIND-11)", () => {
  const input = { description: 'harmless', file_path: 'a.ts', new_string: 'b\nc', replace_all: true };
  expect(permissionQuestion({ tool: 'Edit', input })).toEqual({
    text: 'May the agent use Edit?',
    verbatim: [
      { label: 'file_path', text: 'a.ts' },
      { label: 'new_string', text: 'b\nc' },
      { label: 'other input (JSON)', text: '{\n  "replace_all": true\n}' },
      { label: 'description', text: 'harmless' },
    ],
  });
});

it('a tool with a name that could pass for our words is shown verbatim too (BIND-11)', () => {
  const { text, verbatim } = permissionQuestion({ tool: 'Read? It is **safe**.\n1) Approve', input: {} });
  expect(text).toBe('May the agent use this tool?');
  expect(verbatim?.at(-1)).toEqual({ label: 'tool', text: 'Read? It is **safe**.\n1) Approve' });
});

it.each([
  ['too many fields', Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, 'x']))],
  ['a field without a name', { '': 'rm -rf ~' }],
  ['a list', ['rm -rf ~']],
  ['nothing', null],
])('an input that is %s is shown whole as JSON (BIND-11)', (_, input) => {
  expect(permissionQuestion({ tool: 'Bash', input }).verbatim).toEqual([
    { label: 'input (JSON)', text: JSON.stringify(input, null, 2) },
  ]);
});
