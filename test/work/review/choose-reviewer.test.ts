import { expect, test } from 'vitest';
import { chooseReviewer } from '../../../src/work/review/choose-reviewer.ts';

const mine = { agent: 'command', agentCommand: '/bin/mine', model: 'm' };

test.each([
  [
    'the configured one',
    { agent: 'codex' },
    { agent: 'codex' },
    ['claude'],
    'codex',
    'a new session of codex, the agent',
  ],
  [
    'another one than the author',
    undefined,
    { agent: 'claude' },
    ['claude', 'codex'],
    'codex',
    'codex; claude wrote',
  ],
  [
    'another family',
    undefined,
    { agent: 'claude-text' },
    ['claude', 'gemini'],
    'gemini',
    'gemini; claude-text wrote',
  ],
  [
    'a new session of the author',
    undefined,
    { agent: 'claude' },
    ['claude'],
    'claude',
    'a new session of claude',
  ],
  ['the program of the author', undefined, mine, [], 'command', 'a new session of command'],
  ['whoever is there, if nobody knows the author', undefined, undefined, ['gemini'], 'gemini', 'by gemini.'],
])('SEED-7 the reviewer is %s, and the header says so', (_, configured, author, installed, agent, head) => {
  const chosen = chooseReviewer(configured, author, installed);
  expect(chosen).toMatchObject({ agent, head: expect.stringContaining(head) });
});

test('SEED-7 a new session of the author has its program and model; with no agent at all there is no reviewer', () => {
  expect(chooseReviewer(undefined, mine, [])).toMatchObject(mine);
  expect(chooseReviewer(undefined, undefined, [])).toBeUndefined();
});
