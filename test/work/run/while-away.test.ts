import { renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { whileAway } from '../../../src/work/run/while-away.ts';
import { openWorktree } from '../../../src/work/worktrees/open-worktree.ts';
import { refusal } from '../../ledger/support/ask.ts';
import { loginPhase } from '../support/repository.ts';
import { sharedRepository } from '../support/shared-repository.ts';

test('TEAM-1 a remote that is away is waited for, told once, and left when the run is stopped', async () => {
  const { remote, one } = await sharedRepository();
  const here = await one.at(1);
  renameSync(remote, `${remote}-away`);
  const told: string[] = [];
  const stop = new AbortController();
  const patient = {
    signal: stop.signal,
    tell: (sentence: string) => {
      told.push(sentence);
      if (told.length === 1) renameSync(`${remote}-away`, remote);
    },
  };
  const open = () => openWorktree(here, loginPhase('1'));
  expect((await whileAway(patient, open)).branch).toBe('login--implementation-1');
  expect(told).toEqual([expect.stringContaining('waits for the remote: '), 'the remote is back']);

  renameSync(remote, `${remote}-away`);
  const stopping = { signal: stop.signal, tell: () => stop.abort() };
  expect(await refusal(whileAway(stopping, open))).toMatchObject({ type: 'remote_missing' });
});
