import { expect, test } from 'vitest';
import { fermata, freshFolder } from '../support/fermata.ts';

test('ATT-9 the inbox in the terminal begins with what holds up the most tasks, and says how many', async () => {
  const at = { cwd: freshFolder() };
  await fermata(['ask', 'Which colour?', '--timeout', '0.1'], at);
  for (const [id, ...more] of [
    ['hours'],
    ['holidays', '--depends-on', 'hours'],
    ['both', '--depends-on', 'holidays'],
  ])
    expect((await fermata(['tasks', 'add', id ?? '', '--id', id ?? '', ...more], at)).code).toBe(0);
  await fermata(['ask', 'Which zone?', '--task', 'hours', '--timeout', '0.1'], at);
  const { stdout } = await fermata(['inbox'], at);
  expect(stdout.indexOf('Which zone?')).toBeLessThan(stdout.indexOf('Which colour?'));
  expect(stdout).toContain('2 tasks behind it');
});
