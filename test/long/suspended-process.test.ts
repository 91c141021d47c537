import { expect, test } from 'vitest';
import { AgentProcess } from '../../src/agents/process/agent-process.ts';

test('RUN-4 a suspended process learns that its agent was ended, even if its own heartbeat is due at once', async () => {
  const agent = new AgentProcess({
    program: process.execPath,
    args: ['-e', "console.log('here'); setInterval(() => undefined, 1000)"],
    cwd: process.cwd(),
    env: process.env,
  });
  await new Promise((resolve) => agent.stdout.once('data', resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 14_000);
  const first = await Promise.race([agent.unattended.then(() => 'unattended'), agent.ended]);
  expect(first).toBe('unattended');
  await agent.ended;
}, 60_000);
