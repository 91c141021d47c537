import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CODEX, realCli } from '../../agents/clis/real-cli.ts';
import { fermata, startFermata } from '../../support/fermata.ts';
import { codexHome } from '../../support/model/cli-home.ts';
import { functionCall, message } from '../../support/model/openai-reply.ts';
import { startOpenAi } from '../../support/model/openai-responses.ts';
import { planRepository } from './support/plan-repository.ts';

const LONG = 90_000;
/** Outside of its sandbox, for which it asks. */
const escalated = (id: number, cmd: string) =>
  functionCall(`call_${id}`, 'exec_command', {
    cmd,
    sandbox_permissions: 'require_escalated',
    justification: 'It writes outside of the worktree.',
  });

test(
  'DRV-7 RUN-1 CMD-1 the real Codex has our commands in its shell, may call them and commit, and a person is asked for anything else',
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
    const place = planRepository([{ id: '1', gate: 'grep Ahoy greeting.txt' }], home.env);
    const running = startFermata(
      ['run', 'plans/shop', '--wait', '--json', '--agent', 'codex', '--agent-command', program],
      { ...place.at, limitMs: LONG },
    );
    running.child.stdin?.end();
    let [asked] = await place.inbox();
    while (!asked) [asked] = await place.inbox();
    expect(asked.questions).toMatchObject([{ text: 'May the agent use Bash? touch ../outside' }]);
    expect((await fermata(['answer', asked.id, 'Reject'], place.at)).code).toBe(0);

    const { code, stdout, stderr } = await running.ended;
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ result: 'done', phases: [{ status: 'closed' }] });
    expect(readFileSync(join(place.cwd, 'greeting.txt'), 'utf8')).toBe('Ahoy\n');
    expect(place.git('log', '--format=%s', '-2', 'work').split('\n')).toEqual([
      "Merge branch 'work--implementation-1' into work",
      "Greet, as one's used to",
    ]);
    const heard = JSON.stringify(model.requests.at(-1));
    expect(heard, 'our command answered it').toMatch(
      /\\"status\\":\\"success\\",\\"data\\":\{\\"id\\":\\"1\\"/,
    );
  },
  LONG,
);
