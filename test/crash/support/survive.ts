import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { isApproval } from '../../../src/schema/is-question.ts';
import { Outcome } from '../../../src/schema/notification.ts';
import { freshFolder } from '../../support/fermata.ts';
import { freshDatabase } from '../../support/fresh-database.ts';
import { type HubProcess, startHub } from './hub-process.ts';
import { ANSWER, type Env, type Kind } from './kinds.ts';

export type Store = 'SQLite' | 'PostgreSQL';

/** A crash point, or what happens after the work was submitted and before the test kills the hub. */
export type Kill = string | ((hub: HubProcess) => Promise<unknown>);

interface Survived {
  store?: Store;
  /** Called before the hub starts for the last time. */
  before?(cwd: string): void;
}

/**
 * Submits the work and kills the hub with each of these in turn; the next hub continues by itself. In the end the work is
 * done, nothing was lost, and nothing was asked, requested or done twice. Returns what the agent was asked.
 */
export async function survive(
  name: string,
  kind: Kind,
  kills: Kill[],
  { store = 'SQLite', before }: Survived = {},
): Promise<string[]> {
  const handle = kind.agent().build();
  onTestFinished(() => handle.remove());
  const home = join(freshFolder(), '../home');
  const place = store === 'SQLite' ? join(home, 'ledger.db') : await freshDatabase();
  const env: Env = { FERMATA_HOME: home, FERMATA_STORE: place, ...handle.env };
  const cwd = await kind.prepare(env);
  let isSubmitted = false;
  const work = async <T>(hub: HubProcess, until: () => Promise<T>) => {
    if (!isSubmitted) await hub.submit();
    isSubmitted = true;
    return until();
  };
  for (const kill of kills) {
    if (typeof kill === 'string') {
      const hub = startHub(name, kind, cwd, { ...env, FERMATA_CRASH_AT: `${kill}=kill` });
      expect(await hub.unlessDead(() => work(hub, hub.attend)), `${name} at ${kill}`).toBe('died');
    } else {
      const hub = startHub(name, kind, cwd, env);
      await work(hub, () => kill(hub));
      await hub.kill();
    }
  }
  before?.(cwd);
  const hub = startHub(name, kind, cwd, env);
  expect(await work(hub, hub.attend)).toMatchObject({ result: 'done', error: null });
  await hub.kill();

  const heard = JSON.stringify([handle.answers(), handle.invocations()]);
  const ledger = await openLedger(place, {});
  try {
    const [{ id: project = '' } = {}] = await ledger.projects.list();
    const status = ['open' as const, 'delivered' as const, ...Outcome.options];
    const { notifications } = await ledger.notifications.list({ status, limit: 100 });
    const texts = notifications.flatMap(({ questions }) => questions.map(({ text }) => text));
    expect(new Set(texts).size, `nothing is asked twice: ${texts}`).toBe(texts.length);
    const asked = notifications.filter((each) => !isApproval(each));
    expect(
      asked.every(({ status }) => status === 'delivered'),
      'no answer is lost',
    ).toBe(true);
    // A scripted agent that dies with its question asks nothing in its next session.
    if (kills.some(isWithAgent)) expect(asked.length).toBeLessThanOrEqual(kind.asked);
    else expect(asked).toHaveLength(kind.asked);
    if (asked.length > 0) expect(heard, 'the answer reached the agent').toContain(ANSWER);
    expect(await ledger.runs.unfinished(project), 'no agent is left').toEqual([]);
    expect(await kind.done(cwd, ledger, project), 'done once').toEqual(kind.once);
  } finally {
    await ledger.close();
  }
  const requested = handle.invocations().filter((each) => !each.continued).length;
  const interrupted = kills.filter(isWithAgent).length;
  if (interrupted === 0) expect(requested, 'no answer is requested twice').toBe(kind.answers);
  else expect(requested).toBeLessThanOrEqual(kind.answers + interrupted);
  return handle.invocations().map(({ prompt }) => prompt ?? '');
}

/** Whether an agent that is at work may die too, so that it has to do something again. */
const isWithAgent = (kill: Kill) => typeof kill !== 'string' || kill === 'deliver.after';
