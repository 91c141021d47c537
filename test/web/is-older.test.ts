import { expect, it } from 'vitest';
import { isOlder } from '../../web/src/state/is-older.ts';
import { asked } from './support.ts';

const response = (answer: string) => ({
  kind: 'answered' as const,
  questionId: 'q',
  answer,
  by: { actor: { kind: 'person' as const, name: 'ann' }, channel: 'web' as const },
  at: '2026-01-01T10:00:00.000Z',
});
const answered = asked({ status: 'answered', responses: [response('red')] });
const delivered = asked({ ...answered, status: 'delivered' });
const amended = asked({ ...answered, responses: [response('blue')], replaced: [response('red')] });

it.each([
  ['an answer', asked(), answered],
  ['the delivery of an answer', answered, delivered],
  ['an amended answer', delivered, amended],
])('a row from before %s is older, whenever it arrives (BIND-5)', (_, before, after) => {
  expect([isOlder(before, after), isOlder(after, before), isOlder(after, after)]).toEqual([
    true,
    false,
    false,
  ]);
});
