import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CODEX, realCli } from '../../agents/clis/real-cli.ts';
import { keepOnDisk } from '../../support/keep-on-disk.ts';
import { codexHome } from '../../support/model/cli-home.ts';
import { functionCall, message } from '../../support/model/openai-reply.ts';
import { startOpenAi } from '../../support/model/openai-responses.ts';
import { LONG, startGreetingRun } from './support/greeting-run.ts';

keepOnDisk();

/** Outside of its sandbox, for which it asks. */
const escalated = (id: number, cmd: string) =>
  functionCall(`call_${id}`, 'exec_command', {
    cmd,
    sandbox_permissions: 'require_escalated',
    justification: 'It writes outside of the worktree.',
  });

test(
  'DRV-7 RUN-1 CMD-1 HEAR-9 the real Codex has our commands in its shell, may call them and commit, and a person is asked for anything else; the header says which rules apply',
  async ({ skip }) => {
    const program = await realCli(CODEX, skip);
    const model = await startOpenAi([
      escalated(1, 'fermata plan read-prompt 1'),
      functionCall('call_2', 'exec_command', { cmd: 'echo Ahoy > greeting.txt' }),
      escalated(3, 'git add --all'),
      escalated(4, `git commit -m "Greet, as one's used to"`),
      escalated(5, 'touch ../outside'),
      message('{"status":"success","summary":"Greeted."}'),
    ]);
    onTestFinished(() => model.stop());
    const home = codexHome(model.url);
    onTestFinished(() => home.remove());
    const rules = join(home.home, '.codex/rules');
    mkdirSync(rules);
    writeFileSync(join(rules, 'own.rules'), 'prefix_rule(pattern=["make"], decision="allow")\n');
    const run = startGreetingRun('codex', program, home.env);
    const asked = await run.asked();
    expect(asked.questions).toMatchObject([
      {
        text: 'May the agent use Bash?',
        verbatim: expect.arrayContaining([{ label: 'command', text: 'touch ../outside' }]),
      },
    ]);
    await run.answer(asked.id, 'Reject');
    const told = await run.expectMerged("Greet, as one's used to");
    expect(told).toContain(`Your own rules decide what runs without asking (${join(rules, 'own.rules')}).`);
    const heard = JSON.stringify(model.requests.at(-1));
    expect(heard, 'our command answered it').toMatch(
      /\\"status\\":\\"success\\",\\"data\\":\{\\"id\\":\\"1\\"/,
    );
  },
  LONG,
);
