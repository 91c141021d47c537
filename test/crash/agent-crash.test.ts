import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Event } from '../../src/schema/event.ts';
import { ScenarioBuilder } from '../../src/testing.ts';
import { PLAN } from '../plan/convert/support/plans.ts';
import { asked, inbox } from '../support/asked.ts';
import { fermata, freshFolder, startFermata } from '../support/fermata.ts';
import { isLong, spread } from '../support/long.ts';

/** Where our process dies, and whether the question was stored by then. */
const points = [
  { point: 'create.begin', stored: false },
  { point: 'create.inserted', stored: false },
  { point: 'create.held', stored: false },
  { point: 'deliver.before', stored: true },
  { point: 'deliver.after', stored: true },
] as const;

function place(version: '2.1.197' | '2.1.325') {
  const cwd = freshFolder();
  const handle = new ScenarioBuilder()
    .behavesLike(version)
    .withSessionId('s-1')
    .respondsWithText('Let me see.')
    .asksQuestions([{ id: 'db', question: 'Which database?' }])
    .respondsWithText(PLAN)
    .nextInvocation()
    .respondsWithText(PLAN)
    .build();
  onTestFinished(() => handle.remove());
  const env: Record<string, string> = { FERMATA_HOME: join(cwd, '..', 'home'), ...handle.env };
  return { cwd, env, handle };
}

describe.each(['2.1.197', '2.1.325'] as const)(
  'DRV-2 DRV-3 LED-5 an agent like %s, and kill -9 of us',
  (version) => {
    // That an older version is asked again, too, is left to the long tests.
    test.each(spread(points).filter(({ stored }) => isLong || stored || version === '2.1.325'))(
      'at $point: a question is stored whole or asked again, answered once, and the answer reaches the agent',
      async ({ point, stored }) => {
        const at = place(version);
        const crashing = startFermata(['draft', 'A shop', '--adaptive', '--agent', 'scripted'], {
          ...at,
          env: { ...at.env, FERMATA_CRASH_AT: `${point}=kill` },
        });
        crashing.child.stdin?.end();
        const before = stored ? await answerNext(at) : undefined;
        await crashing.ended;
        expect(await inbox(at), 'a question is stored whole, or not at all').toEqual([]);
        const resumed = startFermata(['draft', '--resume', '--json'], at);
        resumed.child.stdin?.end();
        const id = before ?? (await answerNext(at));
        const { code, stdout, stderr } = await resumed.ended;
        expect({ code, stderr }).toMatchObject({ code: 0 });
        expect(readFileSync(join(JSON.parse(stdout).output, 'MASTER_PLAN.md'), 'utf8')).toContain('Shop');
        const heard = JSON.stringify([at.handle.answers(), at.handle.invocations()]);
        expect(heard, 'the answer reached the agent').toContain('PostgreSQL');
        const { events } = JSON.parse((await fermata(['events', '--json'], at)).stdout) as {
          events: Event[];
        };
        const of = (status: string) =>
          events.filter(({ data }) => 'status' in data && data.id === id && data.status === status);
        expect([of('answered').length, of('delivered').length]).toEqual([1, 1]);
      },
    );
  },
);

async function answerNext(at: { cwd: string; env: Record<string, string> }): Promise<string> {
  const { id } = await asked(at);
  await fermata(['answer', id, 'PostgreSQL'], at);
  return id;
}
