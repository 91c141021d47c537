import { expect, onTestFinished, test } from 'vitest';
import { nodeInTerminal } from './pty.ts';

test('a busy reader gets everything that a program showed before it ended', async () => {
  const terminal = nodeInTerminal(['-e', "process.stdout.write('All of it.\\n'.repeat(2000) + 'The end')"]);
  const busy = setInterval(() => {
    const since = performance.now();
    while (performance.now() - since < 60);
  }, 5);
  onTestFinished(() => clearInterval(busy));
  expect(await terminal.ended).toBe(0);
  expect(terminal.screen()).toMatch(/The end$/);
});
