import { execFile } from 'node:child_process';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { isSameMachine } from '../../src/agents/run/lease.ts';
import { openLedger } from '../../src/index.ts';
import { ann } from '../ledger/support/people.ts';
import { bundledProgram } from '../support/bundled-program.ts';
import { freshFolder } from '../support/fermata.ts';
import { freshDatabase, postgresMissing } from '../support/fresh-database.ts';
import { longTest } from '../support/long-test.ts';
import { likeMacOs } from '../support/platforms/preloads.ts';

test.each([
  ['mac/a/boot-100', 'mac/a/boot-101', true],
  ['mac/a/boot-100', 'mac/a/boot-102', false],
  ['mac/a/boot-100', 'mac/b/boot-100', false],
  ['box/1f2e/4026531836', 'box/1f2e/4026531836', true],
  ['box/1f2e/4026531836', 'box/1f2e/4026531837', false],
])('%s and %s are the same machine since its start: %s', (one, other, same) => {
  expect(isSameMachine(one, other)).toBe(same);
});

interface Claimed {
  worker: string;
  task: string | null;
}

longTest(
  'two machines with the same name and one PostgreSQL do not consider each other dead: the lease decides',
  {
    timeout: 120_000,
  },
  async ({ skip }) => {
    if (postgresMissing !== undefined) skip(postgresMissing);
    const program = await bundledProgram(join(import.meta.dirname, 'support/program.ts'));
    const store = await freshDatabase();
    const ledger = await openLedger(store);
    onTestFinished(() => ledger.close());
    const { id } = await ledger.projects.ensure({ id: 'shop', name: 'shop', root: null });
    await ledger.tasks.add({ projectId: id, id: 'till', title: 'Till' }, ann);

    const machine = (home: string) => async (): Promise<Claimed> => {
      const env = { ...process.env, ...likeMacOs, FERMATA_HOME: home };
      const { stdout } = await promisify(execFile)(process.execPath, [program.file, store, id], { env });
      return JSON.parse(stdout);
    };
    const [one, other] = [machine(join(freshFolder(), 'one')), machine(join(freshFolder(), 'other'))];
    expect(await one()).toEqual({ worker: expect.stringMatching(`^${hostname()}/`), task: 'till' });

    expect(await other()).toEqual({ worker: expect.stringMatching(`^${hostname()}/`), task: null });
    expect(await ledger.tasks.get(id, 'till')).toMatchObject({ status: 'in_progress', fence: 1 });

    expect(await one()).toMatchObject({ task: 'till' });
  },
);
