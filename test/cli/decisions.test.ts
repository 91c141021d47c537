import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Notification } from '../../src/schema/notification.ts';
import { fermata, freshFolder } from '../support/fermata.ts';

const place = () => ({ cwd: freshFolder() });

type Place = ReturnType<typeof place>;

/** Asks without waiting; resolves to the open question, or to undefined if it was answered at once. */
async function ask(at: Place, text: string): Promise<Notification | undefined> {
  await fermata(['ask', text, '-o', 'SQLite', '-o', 'PostgreSQL', '--timeout', '0.1'], at);
  return JSON.parse((await fermata(['inbox', '--json'], at)).stdout).notifications[0];
}

async function decide(at: Place, text: string, answer: string, ...more: string[]): Promise<void> {
  const asked = await ask(at, text);
  expect((await fermata(['answer', asked?.id ?? '', answer, ...more], at)).code).toBe(0);
}

async function decisions(at: Place) {
  return JSON.parse((await fermata(['decisions', '--json'], at)).stdout).decisions;
}

describe('decisions', () => {
  test('LED-12 an answer is kept, and the same question recommends it next time, but stays open', async () => {
    const at = place();
    await decide(at, 'Which database?', 'SQLite', '--note', 'no server');
    expect(await decisions(at)).toEqual([
      expect.objectContaining({
        question: 'Which database?',
        answer: 'SQLite',
        note: 'no server',
        standing: false,
      }),
    ]);
    const again = await ask(at, 'Which database?');
    expect(again?.questions[0]).toMatchObject({
      recommended: 'SQLite',
      earlier: { answer: 'SQLite', by: 'tester' },
    });
    const { stdout } = await fermata(['decisions'], at);
    expect(stdout).toMatch(
      /^ID +WHEN +QUESTION +ANSWER +BY\nd-\w+ +\S+ \S+ +Which database\? +SQLite +tester\n$/,
    );
  });

  test('LED-12 a standing decision answers automatically until it is revoked', async () => {
    const at = place();
    await decide(at, 'Which database?', 'SQLite', '--always');
    expect(await ask(at, 'Which database?')).toBeUndefined();
    const [{ id }] = await decisions(at);
    expect((await fermata(['decisions', 'revoke', id.slice(0, 8)], at)).code).toBe(0);
    expect(await ask(at, 'Which database?')).toMatchObject({ status: 'open' });
    const { code, stderr } = await fermata(['decisions', 'revoke', id], at);
    expect(code).toBe(1);
    expect(stderr).toContain(id);
  });

  test('LED-12 --markdown prints DECISIONS.md, --write saves it in the project, and never overwrites a file of somebody else', async () => {
    const at = place();
    const file = join(at.cwd, 'DECISIONS.md');
    const none = await fermata(['decisions', '--write'], at);
    expect(none).toMatchObject({ code: 0, stderr: expect.stringContaining(`${file} was not written`) });
    expect(readdirSync(at.cwd)).toEqual([]);
    await decide(at, 'Which database?', 'SQLite');
    const { stdout } = await fermata(['decisions', '--markdown'], at);
    expect(stdout).toMatch(/^# Decisions of project\n\n## Which database\?\n\n\*\*SQLite\*\*/);
    expect((await fermata(['decisions', '--write'], at)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(stdout);
    await decide(at, 'Which region?', 'eu-west');
    expect(JSON.parse((await fermata(['decisions', '--write', '--json'], at)).stdout)).toEqual({
      path: file,
      decisions: 2,
    });
    expect(readFileSync(file, 'utf8')).toContain('## Which region?');
    expect(readdirSync(at.cwd)).toEqual(['DECISIONS.md']);

    writeFileSync(file, 'Our own notes\n');
    const { code, stderr } = await fermata(['decisions', '--write'], at);
    expect(code).toBe(1);
    expect(stderr).toContain(`${file} was not written by Fermata`);
    expect(readFileSync(file, 'utf8')).toBe('Our own notes\n');
  });

  test('LED-12 INB-9 newest first, by words, age and number; one-time approvals apart', async () => {
    const at = place();
    await decide(at, 'Which database?', 'SQLite', '--note', 'no server');
    await decide(at, 'Which queue?', 'PostgreSQL');
    mkdirSync(join(at.cwd, '.claude/protocols'), { recursive: true });
    writeFileSync(
      join(at.cwd, '.claude/protocols/ship.yaml'),
      'name: ship\nsteps:\n  - key: go\n    text: Go\n',
    );
    const untrusting = { ...at, env: { FERMATA_TRUST: '' } };
    expect((await fermata(['trust'], untrusting)).code).toBe(3);
    const { notifications } = JSON.parse((await fermata(['inbox', '--json'], at)).stdout);
    await fermata(['answer', notifications[0].id, 'Approve'], at);
    const found = async (...args: string[]) => {
      const { stdout } = await fermata(['decisions', ...args, '--json'], at);
      return JSON.parse(stdout).decisions.map(({ question }: { question: string }) => question);
    };
    expect(await found()).toEqual(['Which queue?', 'Which database?']);
    expect(await found('--approvals')).toEqual([expect.stringContaining('Trust')]);
    expect((await fermata(['decisions'], at)).stderr).toContain('1 one-time approval');
    expect(await found('--search', 'SERVER which')).toEqual(['Which database?']);
    expect(await found('--limit', '1')).toEqual(['Which queue?']);
    expect(await found('--since', '1h')).toHaveLength(2);
    expect(await found('--since', '2999-01-01')).toEqual([]);
    expect((await fermata(['decisions', '--since', 'yesterday'], at)).code).toBe(2);
    expect((await fermata(['decisions', '-n', '1'], at)).stderr).toContain('older ones');
  });

  test('CLI-EXIT-2 a mistyped command is reported instead of listing decisions', async () => {
    const { code, stderr } = await fermata(['decisions', 'revok', 'd-1'], place());
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "revoke"?');
  });
});

describe('schema', () => {
  test('lists the schemas, prints one, and suggests the name for a typo', async () => {
    const at = place();
    const names: string[] = JSON.parse((await fermata(['schema', '--json'], at)).stdout).schemas;
    expect(names).toContain('notification');
    expect((await fermata(['schema'], at)).stdout.trim().split('\n')).toEqual(names);
    const schema = JSON.parse((await fermata(['schema', 'config'], at)).stdout);
    expect(Object.keys(schema.properties)).toContain('hilConfig');
    const { code, stderr } = await fermata(['schema', 'notifcation'], at);
    expect(code).toBe(2);
    expect(stderr).toContain('There is no schema "notifcation". Did you mean "notification"?');
  });
});
