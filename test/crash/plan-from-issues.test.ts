import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ScenarioBuilder } from '../../src/testing.ts';
import { LONG, library, PLAN } from '../cli/plan-from-issues/support/place.ts';
import { fermata } from '../support/fermata.ts';

describe('CRASH plan-from-issues is killed', { timeout: LONG }, () => {
  test('GAP-4 GAP-5 with fewer questions than there could be, at a delivery: the resumed command asks no more', async () => {
    const at = library(new ScenarioBuilder().respondsWithText(PLAN));
    const answers = at.questions().map(({ id }) => ({ id, answer: `to ${id}` }));
    writeFileSync(join(at.cwd, 'answers.json'), JSON.stringify({ answers: answers.slice(0, 2) }));
    const command = [...at.command, '--max-questions', '0'];
    const env = { ...at.env, FERMATA_CRASH_AT: 'answer.begin#4=kill' };
    const first = [...command, '--answers-file', 'answers.json'];
    expect((await fermata(first, { cwd: at.cwd, env })).code).toBe(null);
    const { code, stderr } = await fermata(command.with(-1, '2'), at);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('Resuming') });
    expect(at.prompts()).toHaveLength(1);
  });
});
