import { expect, it } from 'vitest';
import { claudeNeeds } from '../../../src/agents/claude/launch.ts';
import { isAtLeast, PARKS_SINCE } from '../../../src/agents/claude/wire.ts';

const passed = (env: Record<string, string>) =>
  Object.keys(env).filter((name) => claudeNeeds(env).test(name));

it('DRV-6: passes the keys of a cloud provider only if Claude runs through it', () => {
  const keys = {
    AWS_REGION: 'r',
    AWS_SECRET_ACCESS_KEY: 's',
    AWS_OTHER: 'o',
    GOOGLE_CLOUD_PROJECT: 'g',
    AZURE_CLIENT_ID: 'a',
  };
  expect(passed(keys)).toEqual([]);
  expect(passed({ ...keys, CLAUDE_CODE_USE_BEDROCK: '0' })).toEqual(['CLAUDE_CODE_USE_BEDROCK']);
  expect(passed({ ...keys, CLAUDE_CODE_USE_BEDROCK: '1' })).toEqual([
    'AWS_REGION',
    'AWS_SECRET_ACCESS_KEY',
    'CLAUDE_CODE_USE_BEDROCK',
  ]);
  expect(passed({ ...keys, CLAUDE_CODE_USE_VERTEX: 'true' })).toEqual([
    'GOOGLE_CLOUD_PROJECT',
    'CLAUDE_CODE_USE_VERTEX',
  ]);
  expect(passed({ ...keys, CLAUDE_CODE_USE_FOUNDRY: 'true' })).toEqual([
    'AZURE_CLIENT_ID',
    'CLAUDE_CODE_USE_FOUNDRY',
  ]);
});

it('DRV-6: does not pass variables of a surrounding session or of other programs', () => {
  expect(
    passed({
      ANTHROPIC_BASE_URL: 'u',
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: '1',
      CLAUDECODE: '1',
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      CLAUDE_CODE_SSE_PORT: '1',
      OPENAI_API_KEY: 'k',
      NODE_OPTIONS: '--require x',
      MY_ANTHROPIC_KEY: 'k',
    }),
  ).toEqual(['ANTHROPIC_BASE_URL', 'CLAUDE_CODE_MAX_OUTPUT_TOKENS']);
});

it.each([
  ['2.1.89', true],
  ['2.1.197', true],
  ['3.0.0-beta.1', true],
  ['2.2.0', true],
  ['2.1.88', false],
  ['1.99.99', false],
  ['soon', false],
  [undefined, false],
])('DRV-3: version %s can park: %s', (version, can) => {
  expect(isAtLeast(version, PARKS_SINCE)).toBe(can);
});
