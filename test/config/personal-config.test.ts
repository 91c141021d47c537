import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { personalConfig } from '../../src/config/personal-config.ts';

const home = mkdtempSync(join(tmpdir(), 'fermata-personal-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const read = (text: string) => {
  writeFileSync(join(home, 'config.json'), text);
  return personalConfig({ FERMATA_HOME: home });
};

it("the person's own configuration is next to the ledger; without it nothing is configured (BIND-14)", () => {
  expect(personalConfig({ FERMATA_HOME: join(home, 'none') })).toEqual({});
  const config = { agentEnvironment: ['MY_TOKEN', 'MY_*'] };
  expect(read(JSON.stringify(config))).toEqual(config);
});

it.each([
  ['{"agentEnviroment":[]}', 'line 1, agentEnviroment: unknown key. The keys are $schema, agentEnvironment'],
  ['{"agentEnvironment":["A B"]}', 'use the name of a variable'],
])('a mistake in %s is named with its place (BIND-14)', (text, message) => {
  expect(() => read(text)).toThrow(message);
});
