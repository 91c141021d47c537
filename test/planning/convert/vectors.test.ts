import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { noUsage } from '../../../src/agents/driver.ts';
import { attemptPlan } from '../../../src/planning/convert/attempt-plan.ts';
import { previousIssuesSection } from '../../../src/planning/convert/previous-issues.ts';
import { readFileBlocks } from '../../../src/planning/file-blocks.ts';
import vectors from './vectors/convert.json' with { type: 'json' };

const answers: Record<string, string> = vectors.answers;

test.each(vectors.blocks)('CONV-2 $name', ({ answer, files, problems }) => {
  const read = readFileBlocks(answer);
  expect(Object.fromEntries(read.files.map(({ name, content }) => [name, content.trimEnd()]))).toEqual(files);
  expect(read.problems.map(({ code }) => code)).toEqual(problems ?? []);
});

test.each(vectors.loops)('CONV-5 $name', async ({ answers: names, max, expected }) => {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-loop-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const told: string[][] = [];
  const result = await attemptPlan<never>({
    output: join(folder, 'plan'),
    replace: false,
    attempts: join(folder, 'attempts', 'plan'),
    maxIterations: max ?? 3,
    ask: async ({ number, previous }) => {
      const lines = previousIssuesSection(previous).match(/^- \[error\] \w+/gm);
      told.push([...(lines ?? [])].sort());
      return { text: answers[names[number - 1] ?? ''] ?? '', usage: noUsage };
    },
  });
  const success = result.kind === 'passed';
  expect({ success, iterations: result.attempts.length, told }).toEqual(expected);
});
