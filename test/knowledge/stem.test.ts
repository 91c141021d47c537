import { expect, test } from 'vitest';
import { stem, termsOf } from '../../src/knowledge/terms.ts';

test.each([
  ['delete deleted deleting deletes', 'delet'],
  ['query queries', 'queri'],
  ['hop hops hopping', 'hop'],
  ['hope hoping', 'hope'],
  ['connection connections connected connecting', 'connect'],
  ['generalization generally', 'general'],
  ['agree agreed', 'agre'],
  ['pass passes', 'pass'],
])('SEED-11 the forms of a word have one stem: %s', (forms, stemmed) => {
  expect(new Set(forms.split(' ').map(stem))).toEqual(new Set([stemmed]));
});

test('SEED-11 words that are not English stay as they are', () => {
  for (const word of ['größe', '日本', '2fa', 'io', '']) expect(stem(word)).toBe(word);
});

test('SEED-11 the parts of an identifier and a compound are terms too', () => {
  expect(termsOf('maxIdleTime')).toEqual(expect.arrayContaining(['max', 'idl', 'time']));
  expect(termsOf('fail-over')).toContain('failov');
  expect(termsOf('Résumé')).toEqual(termsOf('resume'));
});
