import { expect, test } from 'vitest';
import { renumber } from '../../src/protocols/references.ts';
import { protocolGraph } from '../../src/protocols/render.ts';

const shifted = (text: string) => renumber(text, (key) => Number(key) + 10);

test.each([
  ['Go to step 2.', 'Go to step 12.'],
  ['Repeat steps 2, 3 and 4', 'Repeat steps 12, 13 and 14'],
  ['Repeat step 2, 3 times', 'Repeat step 12, 3 times'],
  ['see **step 2**', 'see **step 12**'],
])('PROT-6 a mention of a step gets its printed number: %j', (text, printed) => {
  expect(shifted(text)).toBe(printed);
});

test.each(['step 2a', 'step 2x faster', 'step 50%', '--step 2', 'first_step 2', 'stepping 2'])(
  'PROT-6 %j does not mention a step',
  (text) => expect(shifted(text)).toBe(text),
);

test('PROT-2 the flow chart has an arrow to each step that a text refers to, and none to a missing step', () => {
  const from = { file: 'x.yaml', line: 1 };
  const step = (number: number, text: string) => ({ number, key: String(number), text, from });
  const steps = [step(1, 'Build it.'), step(2, 'If it fails go back to step 1, else go to step 99.')];
  const graph = protocolGraph({ name: 'x', description: '', inputs: [], outputs: [], steps });
  expect(graph).toContain('s2 -.-> s1');
  expect(graph).not.toContain('s99');
});
