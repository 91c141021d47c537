import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { gatherSurroundings } from '../../../src/plan/audit/gather-surroundings.ts';
import { parsePlan } from '../../../src/plan/grammar/parse-plan.ts';

it('AUD-4 endless files of a repository are skipped', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-around-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const agents = join(folder, '.claude/agents');
  mkdirSync(agents, { recursive: true });
  writeFileSync(join(agents, 'coder.md'), '---\nname: builder\n---\n');
  const found = () => gatherSurroundings(folder, parsePlan([]), {});
  writeFileSync(join(folder, 'package.json'), '{"scripts":{"test":"x"}}');
  expect(found().scripts).toEqual(new Set(['test']));
  expect([...(found().agents ?? [])]).toEqual(expect.arrayContaining(['coder', 'builder']));
  // A sparse file as large as a disk: reading it would end the process.
  for (const name of ['package.json', '.claude/agents/coder.md']) truncateSync(join(folder, name), 2 ** 40);
  expect(found().scripts).not.toEqual(new Set(['test']));
  expect([...(found().agents ?? [])]).toContain('coder');
  expect([...(found().agents ?? [])]).not.toContain('builder');
});
