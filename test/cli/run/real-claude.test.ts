import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CLAUDES, realCli } from '../../agents/clis/real-cli.ts';
import { startAnthropic } from '../../support/model/anthropic.ts';
import { text, toolUse } from '../../support/model/anthropic-reply.ts';
import { claudeHome } from '../../support/model/cli-home.ts';
import { LONG, startGreetingRun } from './support/greeting-run.ts';
import { worktreeIn } from './support/worktree-in.ts';

const question = {
  question: 'Which greeting?',
  header: 'Greeting',
  multiSelect: false,
  options: [
    { label: 'Hello', description: 'plain' },
    { label: 'Ahoy', description: 'for sailors' },
  ],
};
const bash = (id: number, command: string) =>
  toolUse(`toolu_${id}`, 'Bash', { command, description: 'a step' });

test(
  'DRV-7 RUN-1 CMD-1 CMD-3 CMD-4 CMD-13 HEAR-9 the real Claude Code takes a phase through the implementation protocol with our commands, and asks on the way; the header says which settings apply',
  async ({ skip }) => {
    const program = await realCli(CLAUDES[1] ?? CLAUDES[0], skip);
    const model = await startAnthropic((request, index) => {
      const steps = [
        bash(1, 'fermata protocol implementation'),
        bash(2, 'fermata plan read-prompt 1'),
        bash(3, 'fermata plan start-prompt 1 --specialist claude --worktree work--shop--implementation-1'),
        toolUse('toolu_ask', 'AskUserQuestion', { questions: [question] }),
        toolUse('toolu_5', 'Write', {
          file_path: join(worktreeIn(request), 'greeting.txt'),
          content: 'Ahoy\n',
        }),
        bash(6, 'fermata plan record-implementation 1 --walkthrough "Wrote greeting.txt" --iteration 1'),
        bash(7, 'git add greeting.txt'),
        bash(8, 'git commit -m "Greet"'),
        bash(9, 'fermata git merge-worktree 1'),
        bash(10, 'fermata plan complete-prompt 1'),
      ];
      return steps[index] ?? text('{"status":"success","summary":"Greeted."}');
    });
    onTestFinished(async () => void (await model.stop()));
    const home = claudeHome(model.url);
    onTestFinished(() => home.remove());
    const settings = join(home.home, '.claude/settings.json');
    mkdirSync(join(home.home, '.claude'));
    writeFileSync(settings, JSON.stringify({ permissions: { allow: ['Bash(make *)'] } }));
    const run = startGreetingRun('claude', program, home.env);
    const asked = await run.asked();
    expect(asked).toMatchObject({
      source: 'execute',
      sourceId: 'shop/1',
      questions: [{ text: 'Which greeting?' }],
    });
    await run.answer(asked.id, 'Ahoy');
    const told = await run.expectMerged('Greet');
    expect(told).toContain(`Your own settings allow without asking: Bash(make *) (${settings}).`);
    const said = JSON.stringify(model.requests.at(-1));
    expect(said).toContain('Ahoy');
    expect(
      said.match(/\\"status\\":\\"success\\"/g)?.length,
      'each of our commands answered it',
    ).toBeGreaterThan(4);
    expect(said).not.toMatch(/\\"status\\":\\"error\\"/);
  },
  LONG,
);
