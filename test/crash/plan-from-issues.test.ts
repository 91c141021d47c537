import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LONG, library, QUESTIONS } from '../cli/plan-from-issues/support/place.ts';
import { fermata } from '../support/fermata.ts';

/** The commits of a run: a question, its answer, and so on for all; the plan; then each delivery. */
const points = [
  'create.inserted#3',
  'answer.stored#4',
  'write.after-commit#6',
  'plan.staged',
  'plan.between',
  'plan.placed',
  `answer.begin#${QUESTIONS + 4}`,
];

describe('CRASH plan-from-issues is killed', { timeout: LONG }, () => {
  test.each(points)(
    'GAP-5 at %s: started again, nothing is asked or stored twice, and the plan is whole',
    async (point) => {
      const at = library();
      const answers = at.questions().map(({ id }) => ({ id, answer: `to ${id}` }));
      writeFileSync(join(at.cwd, 'answers.json'), JSON.stringify({ answers }));
      const command = [...at.command, '--answers-file', 'answers.json'];
      const env = { ...at.env, FERMATA_CRASH_AT: `${point}=kill` };
      expect((await fermata(command, { cwd: at.cwd, env })).code).toBe(null);

      const { code, stderr } = await fermata(command, at);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(at.auditErrors()).toEqual([]);
      for (const { answer } of answers)
        expect(at.read().split(`**${answer.replaceAll('_', '\\_')}**`)).toHaveLength(2);
      expect(readdirSync(join(at.cwd, 'plans')).filter((name) => /staging|ready/.test(name))).toEqual([]);
      await at.inLedger(async (ledger) => {
        expect((await ledger.notifications.list()).notifications).toEqual([]);
        const { notifications } = await ledger.notifications.list({ status: ['delivered'] });
        expect(notifications.map(({ responses }) => responses.length)).toEqual(answers.map(() => 1));
      });
    },
  );
});
