import { expect, test } from 'vitest';
import { fermata, freshFolder } from '../support/fermata.ts';

test('CLI-insights ATT-11 prints what questions cost as text and as JSON, and refuses a wrong date', async () => {
  const at = { cwd: freshFolder() };
  await fermata(['config', 'set', 'hilConfig', 'confirm_all'], at);
  expect((await fermata(['insights'], at)).stderr).toContain('No questions since 30d');
  for (let n = 0; n < 10; n++) {
    const ask = ['ask', `Which library for ${n}?`, '-o', 'lodash', '-o', 'none', '--recommend', 'lodash'];
    await fermata([...ask, '--category', 'dependency', '--timeout', '0.1'], at);
    const { notifications } = JSON.parse((await fermata(['inbox', '--json'], at)).stdout);
    await fermata(['answer', notifications[0].id, 'lodash'], at);
  }
  const { stdout } = await fermata(['insights'], at);
  expect(stdout).toMatch(/total +10 +10 /);
  expect(stdout).toContain('Recommendations taken: 10 of 10 (100 %)');
  expect(stdout).toContain('config set hilConfig.dependencyModifications notify_and_proceed --project ');
  const json = JSON.parse((await fermata(['insights', '--json', '--since', '1d', '--all'], at)).stdout);
  expect(json).toMatchObject({ total: { asked: 10, open: 0 }, proposals: [{ category: 'dependency' }] });
  expect((await fermata(['insights', '--since', '2026-99-01'], at)).code).toBe(2);
});
