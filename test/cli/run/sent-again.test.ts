import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fermata } from '../../support/fermata.ts';
import { isLong } from '../../support/long.ts';
import { planRepository } from './support/plan-repository.ts';

const SAYS_IT_IN_PROSE = `#!/bin/sh
cat >> "$(dirname "$0")/prompts"
echo "I have looked around."
echo "All is well."
`;

test('RUN-2 after an unreadable result, an agent is started once more with the reason, and the person sees it', async () => {
  const place = planRepository([{ id: '1' }]);
  const program = join(place.cwd, '..', 'agent.sh');
  writeFileSync(program, SAYS_IT_IN_PROSE, { mode: 0o755 });
  const args = ['run', 'plans/shop', '--agent', 'command', '--agent-command', program];
  const { code, stdout, stderr } = await fermata(args, place.at);
  expect(code, stderr).toBe(1);
  const wrong =
    'The agent ended without a readable result: It has no JSON object with a "status". It last said: "All is well."';
  expect(stderr).toContain(`1: command tries again: ${wrong}\n`);
  expect(stdout).toContain(`Phase 1 stopped: Failed: ${wrong}\n`);
  const prompts = readFileSync(join(place.cwd, '..', 'prompts'), 'utf8');
  expect(prompts.split('# What went wrong before')).toHaveLength(2);
  expect(prompts).toContain(wrong);
}, 240_000);

const WRITES_HOOKS = `#!/bin/sh
cat > /dev/null
echo once >> "$(dirname "$0")/starts"
test -f .claude/settings.json && touch done.txt
mkdir -p .claude
echo '{"hooks":{"Stop":[]}}' > .claude/settings.json
echo '{"status":"success"}'
`;

const trusting = [
  { how: '--trust', env: { FERMATA_TRUST: undefined }, options: ['--trust'] },
  { how: 'FERMATA_TRUST=1', env: { FERMATA_TRUST: '1' }, options: [] },
];

test.each(trusting.slice(isLong ? 0 : 1))(
  'BIND-12 a person reads what an agent wrote for agent programs to run before the next one starts ($how)',
  async ({ env, options }) => {
    const place = planRepository([{ id: '1', gate: 'test -f done.txt' }]);
    const program = join(place.cwd, '..', 'agent.sh');
    writeFileSync(program, WRITES_HOOKS, { mode: 0o755 });
    const starts = () => readFileSync(join(place.cwd, '..', 'starts'), 'utf8').split('\n').length - 1;
    const at = { ...place.at, env: { ...place.at.env, ...env } };
    const run = () =>
      fermata(['run', 'plans/shop', ...options, '--agent', 'command', '--agent-command', program], at);
    const { code, stdout } = await run();
    expect([code, starts()]).toEqual([1, 1]);
    expect(stdout).toContain('Not trusted yet: .claude/settings.json in ');
    const [asked] = await place.inbox();
    expect(asked?.questions[0]?.verbatim?.[0]?.text).toBe('{"hooks":{"Stop":[]}}\n');
    await fermata(['answer', asked?.id ?? '', 'Approve'], at);
    await fermata(['tasks', 'unblock', 'shop/1'], at);
    await run();
    expect(starts()).toBe(2);
  },
  120_000,
);
