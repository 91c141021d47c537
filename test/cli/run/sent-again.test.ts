import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fermata } from '../../support/fermata.ts';
import { planRepository } from './support/plan-repository.ts';

const SAYS_IT_IN_PROSE = `#!/bin/sh
cat >> "$(dirname "$0")/prompts"
echo "I have looked around."
echo "All is well."
`;

test('RUN-2 an agent whose result cannot be read is sent out once more and told so, and so is the person', async () => {
  const place = planRepository([{ id: '1' }]);
  const program = join(place.cwd, '..', 'agent.sh');
  writeFileSync(program, SAYS_IT_IN_PROSE, { mode: 0o755 });
  const args = ['run', 'plans/shop', '--agent', 'command', '--agent-command', program];
  const { code, stdout, stderr } = await fermata(args, place.at);
  expect(code, stderr).toBe(1);
  const wrong =
    'The agent ended without a result that can be read: It has no JSON object with a "status". Its last words: "All is well."';
  expect(stderr).toContain(`1: command is sent out again: ${wrong}\n`);
  expect(stdout).toContain(`Phase 1 stopped: Failed: ${wrong}\n`);
  const prompts = readFileSync(join(place.cwd, '..', 'prompts'), 'utf8');
  expect(prompts.split('# What went wrong before')).toHaveLength(2);
  expect(prompts).toContain(wrong);
}, 60_000);
