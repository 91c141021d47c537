import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { freshFolder } from '../../support/fermata.ts';

const LEASH = join(import.meta.dirname, '../../../bin/leash.cjs');
const LATER_MS = 15_000;

/** A program on a leash whose clock is a quarter of a minute ahead once `oversleep` is called. */
async function leashed() {
  const folder = freshFolder();
  const late = join(folder, 'late');
  const clock = join(folder, 'clock.cjs');
  writeFileSync(
    clock,
    `const { existsSync } = require('node:fs'); const now = Date.now;
     Date.now = () => now() + (existsSync(${JSON.stringify(late)}) ? ${LATER_MS} : 0);`,
  );
  const program = ['-e', "console.log('up'); setInterval(() => {}, 1000)"];
  const leash = spawn(process.execPath, ['--require', clock, LEASH, process.execPath, ...program], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
  });
  onTestFinished(
    () => void (leash.exitCode ?? leash.signalCode ?? process.kill(-(leash.pid ?? 0), 'SIGKILL')),
  );
  await once(leash.stdout as Duplex, 'data');
  const lifeline = leash.stdio[3] as Duplex;
  return {
    leash,
    /** Keeps the leash from running for a while, during which we send these beats. */
    oversleep(beats: number[]) {
      leash.kill('SIGSTOP');
      for (const at of beats) lifeline.write(`${at}\n`);
      writeFileSync(late, '');
      leash.kill('SIGCONT');
    },
    silence: once(lifeline, 'data').then(([said]) => String(said)),
  };
}

const alive = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

test('DRV-6 a leash that starts late on a busy machine still gets what was sent before', async () => {
  const { leash, oversleep } = await leashed();
  const now = Date.now();
  oversleep([...Array(LATER_MS / 1000).keys()].map((seconds) => now + seconds * 1000));
  // The leash checks once a second.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect(alive(leash)).toBe(true);
});

test('DRV-6 a leash ends its program after a gap between two beats, as when the machine slept', async () => {
  const { leash, oversleep, silence } = await leashed();
  const now = Date.now();
  oversleep([now, now + LATER_MS]);
  expect(await silence).toBe('silence');
  await once(leash, 'exit');
});
