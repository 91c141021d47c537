import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { previousIssuesSection } from '../../../src/plan/convert/prompt.ts';
import { planAnswer } from '../../../src/work/kinds/plan-answer.ts';
import { openStage } from '../../agents/support/stage.ts';
import vectors from '../../plan/convert/vectors/convert.json' with { type: 'json' };
import { agentThatSays } from '../run/support/agent-that-says.ts';

const answers: Record<string, string> = vectors.answers;

test.each(vectors.loops)('CONV-5 $name', async ({ answers: names, max, expected }) => {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-loop-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { ledger, projectId } = await openStage();
  const { driver, prompts } = agentThatSays(names.map((name) => answers[name] ?? ''));
  const setup = { cwd: '/', env: {}, mustAsk: false };
  const result = await planAnswer(
    { ledger, driver, setup, questions: 'nobody' },
    {
      projectId,
      sourceId: 'plan',
      taskId: 'convert:shop',
      work: { for: 'answer', about: 'plan' },
      output: join(folder, 'plan'),
      replace: false,
      attempts: join(folder, 'attempts', 'plan'),
      maxAttempts: max ?? 3,
      prompt: previousIssuesSection,
      doing: 'an agent writes the plan',
      report: () => undefined,
    },
  );
  const success = result.kind === 'passed';
  const told = prompts.map((prompt) => [...(prompt.match(/^- \[error\] \w+/gm) ?? [])].sort());
  expect({ success, iterations: result.attempts.length, told }).toEqual(expected);
});
