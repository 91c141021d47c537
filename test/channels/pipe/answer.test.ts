import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../../src/index.ts';
import type { CreateInput } from '../../../src/schema/notification.ts';
import { BIN, environment, freshFolder } from '../../support/fermata.ts';

/** `fermata answer` over a pipe, without a terminal, for one notification; `reply` gives the line for each question. */
async function answered(
  asked: Pick<CreateInput, 'source' | 'questions' | 'policy'>,
  reply: (question: { id: string }) => object,
) {
  const cwd = freshFolder();
  const home = join(cwd, '..', 'home');
  const ledger = await openLedger(join(home, 'ledger.db'));
  onTestFinished(() => ledger.close());
  await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
  const by = { actor: { kind: 'agent' as const, name: 'a' }, channel: 'agent' as const };
  const { notification } = await ledger.notifications.create({ projectId: 'p', sourceId: 'x', ...asked }, by);
  const env = environment({ FERMATA_HOME: home, FERMATA_QA_PIPE: '1', FERMATA_QA_TIMEOUT: '60' });
  const child = spawn(process.execPath, [BIN, 'answer', notification.id], { cwd, env, detached: true });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const questions = [];
  for await (const line of createInterface({ input: child.stdout })) {
    questions.push(JSON.parse(line));
    child.stdin.write(`${JSON.stringify({ gap_type: 'general', ...reply(questions.at(-1)) })}\n`);
  }
  const [code] = await ended;
  const stored = await ledger.notifications.get('p', notification.id);
  return { code, stderr, questions, stored, id: notification.id };
}

describe('CLI-answer over a pipe', () => {
  test('PIPE-3 answers each question of a notification by its own id, with several answers if allowed', async () => {
    const options = [{ label: 'SQLite' }, { label: 'PostgreSQL' }];
    const { code, stderr, questions, stored, id } = await answered(
      { source: 'plan', questions: [{ text: 'Which?', options, multi: true }, { text: 'Why?' }] },
      (question) => ({
        id: question.id,
        answer: question.id.endsWith('q1') ? ['sqlite', 'DuckDB'] : 'Because',
      }),
    );
    expect(questions).toMatchObject([
      { id: `${id}/q1`, gap_type: 'general', multi: true, options: ['SQLite', 'PostgreSQL'] },
      { id: `${id}/q2`, options: [] },
    ]);
    expect([code, stderr]).toEqual([0, `Stored: ${id} SQLite, DuckDB · Because\n`]);
    expect(stored.responses).toMatchObject([{ answer: ['SQLite', 'DuckDB'] }, { answer: 'Because' }]);
  });

  test('BIND-9 BIND-17 shows the agent’s proposal with the question, and "+" accepts it', async () => {
    const policy = { kind: 'default' as const, after: 4 * 3600, answers: { q1: 'Yes' } };
    const { code, stderr, questions, stored, id } = await answered(
      { source: 'execute', questions: [{ text: 'Deploy?', options: ['Yes', 'No'] }], policy },
      () => ({ answer: '+' }),
    );
    const proposal = 'The agent proposes: if nobody answers within 4 h, use Yes.';
    expect(questions).toMatchObject([{ proposal, context: expect.stringContaining(proposal) }]);
    expect(stored).toMatchObject({ status: 'open', policy, responses: [] });
    expect([code, stderr]).toEqual([
      3,
      `fermata: Accepted: ${id}. If nobody answers within 4 h, the answer will be Yes.\n`,
    ]);
  });

  test('PIPE-7 an answer that the ledger refuses leaves the question open, with exit code 3', async () => {
    const { code, stderr, stored } = await answered(
      { source: 'approval', questions: [{ text: 'Deploy?' }] },
      ({ id }) => ({ id, answer: 'maybe' }),
    );
    expect([code, stored.status]).toEqual([3, 'open']);
    expect(stderr).toMatch(/"maybe" is not a valid answer to an approval.*stays open/);
  });

  test('PIPE-7 an option with a blank that is not filled in is not an answer', async () => {
    const questions = [{ text: 'Where?', options: [{ label: 'Only here: …' }, { label: 'Everywhere' }] }];
    const { code, stderr, stored } = await answered({ source: 'plan', questions }, () => ({
      answer: 'Only here: …',
    }));
    expect([code, stored.status]).toEqual([3, 'open']);
    expect(stderr).toContain('Write the whole answer');
  });
});
