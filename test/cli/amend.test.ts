import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asked } from '../support/asked.ts';
import { fermata, freshFolder, startFermata } from '../support/fermata.ts';

function place(env: Record<string, string> = {}) {
  const cwd = freshFolder();
  return { cwd, env: { FERMATA_HOME: join(cwd, '..', 'home'), ...env } };
}

/** Asks, answers, and waits until the asker has it. */
async function answered(at: ReturnType<typeof place>, value: string, ...args: string[]): Promise<string> {
  const asker = startFermata(['ask', ...args], at);
  asker.child.stdin?.end();
  const { id } = await asked(at);
  expect((await fermata(['answer', id, value], at)).code).toBe(0);
  await asker.ended;
  return id;
}

describe('CLI-amend', () => {
  test('replaces an answer, names the old one, and says that the asker is gone; nothing is lost (BIND-5)', async () => {
    const at = place();
    const id = await answered(at, 'red', 'Which colour?', '-o', 'red', '-o', 'blue', '--key', 'colour');
    const amended = await fermata(['amend', id, '2'], at);
    expect(amended).toMatchObject({ code: 0, stderr: '' });
    expect(amended.stdout).toBe(
      `Amended: ${id} blue (was: red)\nThe asker of ${id} received the old answer and has ended, so Fermata cannot tell it. The new answer applies the next time this is asked.\n`,
    );
    const again = ['ask', 'Which colour?', '-o', 'red', '-o', 'blue', '--key', 'colour'];
    expect(await fermata(again, at)).toMatchObject({ code: 0, stdout: 'blue\n' });
    const { decisions } = JSON.parse((await fermata(['decisions', '--json'], at)).stdout);
    expect(decisions).toMatchObject([
      { answer: 'blue', replacedBy: null },
      { answer: 'red', replacedBy: decisions[0].id },
    ]);
    expect((await fermata(['decisions', '--markdown'], at)).stdout).not.toContain('**red**');
    expect((await fermata(['decisions'], at)).stdout).toContain('REPLACED BY');
  });

  test('prints both versions and the effect as JSON; the same again changes nothing (BIND-5)', async () => {
    const at = place();
    const id = await answered(at, 'red', 'Which colour?');
    const { stdout } = await fermata(['amend', id, 'blue', '--note', 'a slip', '--json'], at);
    expect(JSON.parse(stdout)).toMatchObject({
      repeat: false,
      notification: {
        responses: [{ answer: 'blue', note: 'a slip', version: 2 }],
        replaced: [{ answer: 'red' }],
      },
      effect: { kind: 'asker_gone' },
    });
    const repeated = await fermata(['amend', id, 'blue'], at);
    expect(repeated).toMatchObject({ code: 0, stdout: `Nothing changed: ${id} already says blue\n` });
  });

  test.each([
    [['skip'], 'The new answer is missing.'],
    [[''], 'The new answer is missing.'],
    [['blue', 'green'], '1 question, but you gave 2 values'],
  ])('CLI-EXIT-2 refuses %j, and changes nothing (BIND-5)', async (values, message) => {
    const at = place();
    const id = await answered(at, 'red', 'Which colour?');
    const refused = await fermata(['amend', id, ...values], at);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(message);
    const shown = await fermata(['amend', id, 'red'], at);
    expect(shown.stdout).toBe(`Nothing changed: ${id} already says red\n`);
  });

  test('takes the id of a decision, for its question alone (BIND-5)', async () => {
    const at = place();
    const id = await answered(at, 'red', 'Which colour?', '-o', 'red', '-o', 'blue');
    const { decisions } = JSON.parse((await fermata(['decisions', '--json'], at)).stdout);
    const { code, stdout } = await fermata(['amend', decisions[0].id.slice(0, 8), 'blue'], at);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Amended: ${id} blue (was: red)`)]);
    const unknown = await fermata(['amend', 'd-nothing', 'blue'], at);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('no decision d-nothing')]);
    const revoked = await fermata(['decisions', 'revoke', decisions[0].id], at);
    expect(revoked.stderr).toContain(`amend ${decisions[0].id} VALUE`);
  });

  test('an agent cannot amend (BIND-5)', async () => {
    const at = place();
    const id = await answered(at, 'red', 'Which colour?');
    const agent = { ...at, env: { ...at.env, FERMATA_AGENT: 'coder-1' } };
    const refused = await fermata(['amend', id, 'blue'], agent);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('Only a person may amend an answer.');
  });
});
