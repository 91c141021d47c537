import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fermata, freshFolder } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';

function project(git: boolean): string {
  const folder = freshFolder();
  mkdirSync(join(folder, 'docs'));
  mkdirSync(join(folder, 'ignored'));
  writeFileSync(join(folder, 'docs', 'ops.md'), '# Operations\n\n## Backups\n\nEvery night, by cron.\n');
  writeFileSync(join(folder, 'ignored', 'secret.md'), '# Backups of secrets\n\nbackups backups\n');
  writeFileSync(join(folder, '.gitignore'), 'ignored\n');
  if (git) execFileSync('git', ['init', '-q', folder]);
  return folder;
}

const search = async (cwd: string, ...args: string[]) => {
  const { code, stdout, stderr } = await fermata(['knowledge', 'search', ...args], { cwd });
  return { code, stderr, ...JSON.parse(stdout) };
};

describe('fermata knowledge search (CMD-15, CLI-knowledge)', () => {
  test('prints matching passages of files that git does not ignore', async () => {
    const cwd = project(true);
    const result = await search(cwd, 'docs', 'when are backups made');
    expect(result).toEqual({
      code: 0,
      stderr: '',
      status: 'success',
      data: {
        phrase: 'when are backups made',
        documents: 1,
        embedder: { state: 'none' },
        results: [
          {
            file: 'docs/ops.md',
            title: 'Operations',
            heading: 'Backups',
            lines: [5, 5],
            score: expect.any(Number),
            text: 'Every night, by cron.',
          },
        ],
      },
    });
  });

  test('sees new files at once, works in a subfolder, and takes words without quotes', async () => {
    const cwd = project(true);
    await search(cwd, 'docs', 'backups');
    writeFileSync(join(cwd, 'docs', 'new.md'), '# Zebras\n\nStriped.\n');
    const { data } = await search(join(cwd, 'docs'), 'docs', 'zebras', 'and', 'horses');
    expect(data.results[0]).toMatchObject({ file: 'docs/new.md', heading: 'Zebras' });
  });

  test('works in a plain folder', async () => {
    const { data } = await search(project(false), 'docs', 'backups', '--limit', '1');
    expect(data.documents).toBe(2);
    expect(data.results).toHaveLength(1);
  });

  longTest('many searches at once get the same result, even before there is an index', async () => {
    const cwd = project(true);
    const env = { FERMATA_HOME: join(cwd, '..', 'home') };
    const runs = await Promise.all(
      Array.from({ length: 4 }, () =>
        fermata(['knowledge', 'search', 'docs', 'nightly backup'], { cwd, env }),
      ),
    );
    expect(new Set(runs.map(({ stdout }) => stdout)).size).toBe(1);
    expect(runs.map(({ code }) => code)).toEqual(runs.map(() => 0));
  });

  test.each([
    [['code', 'x'], 'There is no collection "code".'],
    [['docs', ' '], 'The phrase is empty.'],
    [[], "missing required argument 'collection': what to search: docs"],
    [['docs'], /missing required argument 'phrase'/],
    [['docs', 'x', '--limit', '0'], /"0" is too small\. It must be from 1 to 100/],
  ])('%j is one JSON object with an error, and exit code 1', async (args, message) => {
    const result = await search(freshFolder(), ...args);
    expect(result).toMatchObject({ code: 1, status: 'error', error: { type: 'invalid' } });
    expect(result.error.message).toMatch(message);
  });

  test('an embedder that fails is reported on stderr and in the data, without its key', async () => {
    const server = createServer((_, response) => response.writeHead(401).end('nope'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const cwd = project(true);
    const { code, stdout, stderr } = await fermata(['knowledge', 'search', 'docs', 'backups'], {
      cwd,
      env: {
        FERMATA_EMBEDDER_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/embeddings?k=hidden`,
        FERMATA_EMBEDDER_MODEL: 'm',
        FERMATA_EMBEDDER_KEY: 'very-secret',
      },
    });
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^fermata: The embedder at http:\/\/127\.0\.0\.1:\d+\/v1\/embeddings failed: it answered with 401\. Searched by words only\.$/m,
    );
    const { data } = JSON.parse(stdout);
    expect(data.embedder.state).toBe('failed');
    expect(data.results).toHaveLength(1);
    expect(stdout + stderr).not.toMatch(/secret|hidden/);
  });
});
