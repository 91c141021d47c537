import { expect, test } from 'vitest';
import { CLAUDES, CODEXES, type RealCliName } from '../agents/clis/real-cli.ts';
import { failingModel, isWritten, TOPIC } from '../cli/support/failing-model.ts';
import { AT_ONCE, inBatches } from '../cli/support/in-batches.ts';
import { Person, tick } from '../cli/support/person.ts';
import { PLAN } from '../plan/convert/support/plans.ts';
import { spawnFermata } from '../support/fermata.ts';
import { killAgent, processesIn, untilDeserted } from '../support/processes.ts';

/** For each version. */
const KILLS = 50;
const KILLS_EACH = 4;

/** A small, repeatable generator; with Math.random, a failure could not be reproduced. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1103515245 + 12345) % 2147483648;
    yield state / 2147483648;
  }
}

const TITLE = `HEAR-4 HEAR-5 %s: ${KILLS} random kills of Fermata, the agent, or both, around background work and a question`;

test.for([...CLAUDES, ...CODEXES])(TITLE, { timeout: 3_600_000 }, async (name, { skip, annotate }) => {
  let kills = 0;
  let plans = 0;
  // An agent may end before its kill, so the kills are counted.
  while (kills < KILLS) {
    const rounds = Array.from({ length: AT_ONCE }, (_, each) => plans + each);
    await inBatches(rounds, async (round) => {
      const more = await playRound(name, skip, round);
      kills += more;
    });
    plans += rounds.length;
  }
  await annotate(`${plans} plans, ${kills} kills`);
});

/**
 * Drafts a plan whatever is killed meanwhile: nothing is lost, doubled or left over. Returns how many kills
 * there were.
 */
async function playRound(name: RealCliName, skip: (note: string) => never, round: number): Promise<number> {
  const random = numbers(17 + round);
  const next = () => random.next().value;
  const failing = await failingModel(name, skip, PLAN, 'after background work');
  const begin = () => failing.start('draft', TOPIC, '--adaptive', ...failing.by);
  let draft = begin();
  const person = new Person(await failing.ledger());
  let kills = 0;
  for (let lives = 0; !isWritten(failing) && lives < 12; lives += 1) {
    const { ended } = draft;
    const answering = person.answerAll(ended);
    if (lives < KILLS_EACH) {
      await Promise.race([tick(500 + next() * 4000), ended]);
      const what = next() < 0.34 ? 'agent' : next() < 0.5 ? 'both' : 'fermata';
      if (draft.child.exitCode === null && processesIn(failing.at.cwd).length > 1) {
        kills += 1;
        if (what !== 'fermata') killAgent(failing.at.cwd, draft.child.pid);
        if (what !== 'agent') draft.child.kill('SIGKILL');
      }
    }
    await ended;
    await answering;
    if (isWritten(failing)) break;
    await untilDeserted(failing.at.cwd);
    // An agent that died before it had a session leaves nothing to resume.
    const hasRun = (await person.runs()).some(
      ({ status, end }) => status !== 'ended' || end?.reason === 'ok',
    );
    draft = hasRun ? failing.start('draft', '--resume') : begin();
  }
  const seen = {
    isWritten: isWritten(failing),
    rows: (await person.rows()).filter(({ source }) => source !== 'approval').map(({ status }) => status),
    answers: failing.answers(),
    unfinished: (await person.runs()).filter(({ status }) => status !== 'ended'),
    inbox: JSON.parse((await spawnFermata(['inbox', '--json'], failing.at)).stdout).notifications,
  };
  expect
    .soft(seen, `round ${round}`)
    .toEqual({ isWritten: true, rows: ['delivered'], answers: 1, unfinished: [], inbox: [] });
  await untilDeserted(failing.at.cwd);
  return kills;
}
