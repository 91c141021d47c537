import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');

it('only one file starts git, and only the wrapper around it calls that file (BIND-13)', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));
  const having = (pattern: RegExp) => files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
  expect(having(/(?:execFile|spawn|exec|fork)(?:Sync|\))?\(\s*['"`]git\b/)).toEqual(['git/start-git.ts']);
  expect(having(/start-git\.ts'/).sort()).toEqual([
    'git/deaf-environment.ts',
    'git/git.ts',
    'git/receive-objects.ts', // reads an agent's store in a sandbox
    'git/remote/remote-git.ts', // fetches and pushes, without the repository's configuration
  ]);
});
