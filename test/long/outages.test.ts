import { describe, expect, test } from 'vitest';
import { CLAUDES, CODEXES, type RealCliName } from '../agents/clis/real-cli.ts';
import { type FailingModel, failingModel, isWritten, TOPIC } from '../cli/support/failing-model.ts';
import { inBatches } from '../cli/support/in-batches.ts';
import { describeInterrupted, INTERRUPTIONS } from '../cli/support/interrupted-commands.ts';
import { killBoth, Person, signalAgent, tick, until } from '../cli/support/person.ts';
import { PLAN } from '../plan/convert/support/plans.ts';
import { spawnFermata } from '../support/fermata.ts';
import { OUTAGES, type Outage } from '../support/model/outages.ts';

const TIMES = 10;
const DELAYS = [0, 5, 20, 60, 150, 400];
const CLIS = [...CLAUDES, ...CODEXES];
type Skip = (note: string) => never;

async function drafting(name: RealCliName, skip: Skip, ...more: string[]) {
  return begin(await failingModel(name, skip, PLAN), ...more);
}

async function begin(failing: FailingModel, ...more: string[]) {
  const draft = failing.start('draft', TOPIC, '--adaptive', ...more, ...failing.by);
  const person = new Person(await failing.ledger());
  return { failing, draft, person, asked: await person.asked() };
}

/** Continues until the plan is written: in one session, with the answer once, and nobody asked again. */
async function expectWritten(scene: string, failing: FailingModel, person: Person) {
  const [before] = await person.runs();
  let said = '';
  for (let tries = 0; !isWritten(failing) && tries < 3; tries += 1) {
    said += (await spawnFermata(['draft', '--resume'], failing.at)).stderr;
  }
  const runs = await person.runs();
  const seen = {
    isWritten: isWritten(failing),
    sessions: runs.map(({ sessionId }) => sessionId),
    status: runs.map(({ status }) => status),
    asked: failing.asks(),
    rows: (await person.rows()).map(({ status }) => status),
    answers: failing.answers(),
  };
  expect.soft(seen, `${scene}: ${said}`).toEqual({
    isWritten: true,
    sessions: [before?.sessionId],
    status: ['ended'],
    asked: 1,
    rows: ['delivered'],
    answers: 1,
  });
}

describe.each(CLIS)('HEAR-4 the real %s and Fermata, killed', (name) => {
  test.for(DELAYS)(`%d ms after delivered, ${TIMES} times`, async (delay, { skip }) => {
    await inBatches([...Array(TIMES).keys()], async (round) => {
      const { failing, draft, person, asked } = await drafting(name, skip);
      failing.hold(delay < 200);
      await person.answer(asked);
      await person.delivered(asked);
      await tick(delay);
      await killBoth(draft, failing.at.cwd);
      failing.hold(false);
      await draft.ended;
      await expectWritten(`round ${round}`, failing, person);
    });
  });
});

const KINDS = OUTAGES.join(', ');

describe.each(CLIS)('HEAR-5 the model of the real %s', (name) => {
  const each = (play: (kind: Outage) => Promise<void>) => inBatches(OUTAGES, play);

  test(`fails in a sub-agent while a question is open: ${KINDS}`, async ({ skip }) =>
    each(async (kind) => {
      const failing = await failingModel(name, skip, PLAN, 'beside a sub-agent');
      failing.fail(kind, 1);
      const { draft, person, asked } = await begin(failing);
      await until(async () => failing.failures() || undefined, 20);
      await person.answer(asked);
      await draft.ended;
      await expectWritten(String(kind), failing, person);
    }));

  test(`fails right after the answer: ${KINDS}`, async ({ skip }) =>
    each(async (kind) => {
      const { failing, draft, person, asked } = await drafting(name, skip);
      failing.fail(kind, 1);
      await person.answer(asked);
      await draft.ended;
      await expectWritten(String(kind), failing, person);
    }));

  test(`fails after a kill with the question open: ${KINDS}`, async ({ skip }) =>
    each(async (kind) => {
      const { failing, draft, person, asked } = await drafting(name, skip);
      await tick(1000);
      await killBoth(draft, failing.at.cwd);
      await person.answer(asked);
      failing.fail(kind, 2);
      await draft.ended;
      await expectWritten(String(kind), failing, person);
    }));

  // Codex keeps its process while it waits.
  test.runIf(name.startsWith('claude'))(`fails while a parked agent is resumed: ${KINDS}`, async ({ skip }) =>
    each(async (kind) => {
      const { failing, draft, person, asked } = await drafting(name, skip, '--park-after', '1s');
      await tick(4000);
      failing.fail(kind, 2);
      await person.answer(asked);
      await draft.ended;
      await expectWritten(String(kind), failing, person);
    }),
  );

  // Codex dies of it, as of any other signal.
  test.runIf(name.startsWith('claude'))(
    'is silent when its agent gets SIGINT after the answer',
    async ({ skip }) => {
      const { failing, draft, person, asked } = await drafting(name, skip);
      failing.hold(true);
      await person.answer(asked);
      await person.delivered(asked);
      signalAgent('SIGINT', draft, failing.at.cwd);
      failing.hold(false);
      const { code, stderr } = await draft.ended;
      expect([code, stderr]).toEqual([
        0,
        expect.stringContaining('ended with exit code 0 before it finished'),
      ]);
      await expectWritten('SIGINT', failing, person);
    },
  );

  test('has no key during the resume', async ({ skip }) => {
    const { failing, draft, person, asked } = await drafting(name, skip);
    await tick(1000);
    await killBoth(draft, failing.at.cwd);
    await person.answer(asked);
    const env = { ...failing.at.env, ANTHROPIC_API_KEY: undefined, SCRIPTED_API_KEY: undefined };
    const { code, stderr } = await spawnFermata(['draft', '--resume'], { ...failing.at, env });
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(/Nothing is lost: "fermata draft --resume \S+"/),
    ]);
    await expectWritten('no key', failing, person);
  });

  test('says nothing for longer than --timeout after the answer', async ({ skip }) => {
    const { failing, draft, person, asked } = await drafting(name, skip, '--timeout', '20s');
    failing.hold(true);
    await person.answer(asked);
    const { code, stderr } = await draft.ended;
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(/Nothing is lost: "fermata draft --resume \S+"/),
    ]);
    failing.hold(false);
    await expectWritten('timeout', failing, person);
  });

  test('stops in the middle of the message that asks', async ({ skip }) => {
    const failing = await failingModel(name, skip, PLAN, 'breaking off');
    const { draft, person } = await begin(failing);
    await person.answerAll(draft.ended);
    const { code, stderr } = await draft.ended;
    expect(code, stderr).toBe(0);
    // The oldest Codex drops such a call by itself, and its model asks again.
    const rows = (await person.rows()).filter(({ outcome }) => outcome !== 'withdrawn');
    expect(rows).toMatchObject([{ status: 'delivered', outcome: 'answered' }]);
    expect(failing.answers()).toBe(1);
    expect(await person.runs()).toMatchObject([{ status: 'ended' }]);
  });
});

for (const name of CLIS) for (const each of INTERRUPTIONS) describeInterrupted(name, each);
