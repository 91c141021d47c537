import { expect, test } from 'vitest';
import { AgentProcess } from '../../../src/agents/process/agent-process.ts';
import { RunShell } from '../../../src/agents/run/run-shell.ts';

test.each(['read', 'endOfOutput'] as const)(
  'BIND-20 an error while we handle output (%s) ends only this run, with a sentence',
  async (where) => {
    const process = new AgentProcess({ program: '/bin/echo', args: ['hi'], cwd: '/', env: {} });
    const fails = () => {
      throw new RangeError('Maximum call stack size exceeded');
    };
    const handlers = { read: () => undefined, endOfOutput: () => undefined, [where]: fails };
    const shell = new RunShell(process, { setup: {}, name: () => 'an agent', ...handlers });
    await process.ended;
    expect(shell.cause).toMatchObject({ reason: 'failed', message: expect.stringContaining('cannot read') });
  },
);
