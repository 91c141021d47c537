import { expect, it } from 'vitest';
import { fermata, freshFolder } from '../support/fermata.ts';

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { time: string; level: string; message: string });

it('TEAM-8 with FERMATA_LOG=json every message is one line of JSON, even one with line breaks and control characters', async () => {
  const cwd = freshFolder();
  const env = { FERMATA_LOG: 'json' };
  const { stderr } = await fermata(['tasks', 'add', 'Paint', '--store', 'new.db'], { cwd, env });
  const [made] = linesOf(stderr);
  expect(made).toMatchObject({ level: 'info', message: expect.stringContaining('Created a new ledger') });
  expect(Math.abs(Date.parse(made?.time ?? '') - Date.now())).toBeLessThan(600_000);
  const failed = await fermata(['answer', 'n-\u001b[2J\nx', 'Yes', '--store', 'new.db'], { cwd, env });
  expect(failed.code).not.toBe(0);
  expect(linesOf(failed.stderr).at(-1)).toMatchObject({
    level: 'error',
    message: expect.not.stringContaining('fermata:'),
  });
});
