import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { codexDriver } from '../../../src/agents/codex/driver.ts';
import { codexHome } from '../../support/model/cli-home.ts';
import { functionCall, message } from '../../support/model/openai-reply.ts';
import { startOpenAi } from '../../support/model/openai-responses.ts';
import { CODEX_NOW, realCli } from '../clis/real-cli.ts';
import { Follower } from '../conformance/follow.ts';

it.for(CODEX_NOW)(
  'HEAR-9 %s asks a person, also after a resume, although the config says never; what their own rules allow is named and not asked',
  async (name, { skip }) => {
    const escalated = { sandbox_permissions: 'require_escalated', justification: 'It makes a file.' };
    const call = (id: string, cmd: string) => functionCall(id, 'exec_command', { cmd, ...escalated });
    const program = await realCli(name, skip);
    const model = await startOpenAi([
      call('call_ruled', 'touch ruled'),
      call('call_one', 'mkdir one'),
      message('One.'),
      call('call_two', 'mkdir two'),
      message('Two.'),
    ]);
    onTestFinished(() => model.stop());
    const home = codexHome(model.url);
    onTestFinished(() => home.remove());
    const setup = { cwd: home.cwd, env: home.env, program, mustAsk: true };
    expect(await codexDriver.probe(setup)).toMatchObject({ found: true, notes: [] });
    const config = join(home.home, '.codex/config.toml');
    const own = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n';
    writeFileSync(config, `${own}${readFileSync(config, 'utf8')}`);
    const rules = join(home.home, '.codex/rules');
    mkdirSync(rules);
    writeFileSync(join(rules, 'own.rules'), 'prefix_rule(pattern=["touch"], decision="allow")\n');
    writeFileSync(join(rules, 'read.me'), '');
    expect(await codexDriver.probe(setup)).toMatchObject({
      notes: [`Your own rules decide what runs without asking (${join(rules, 'own.rules')}).`],
    });

    const first = new Follower(codexDriver.start(setup, 'Go.'));
    const { sessionId } = await first.take('session');
    expect(await refuse(first)).toMatchObject({ command: 'mkdir one' });
    expect(await first.run.ended).toMatchObject({ reason: 'ok', text: 'One.' });
    const second = new Follower(codexDriver.resume(setup, { agent: 'codex', sessionId }, []));
    expect(await refuse(second)).toMatchObject({ command: 'mkdir two' });
    expect(await second.run.ended).toMatchObject({ reason: 'ok', text: 'Two.' });
    const made = ['ruled', 'one', 'two'].filter((file) => existsSync(join(home.cwd, file)));
    expect(made).toEqual(['ruled']);
  },
);

async function refuse(agent: Follower): Promise<unknown> {
  const { id, input } = await agent.take('permission');
  expect(await agent.run.permit(id, false)).toBe(true);
  return input;
}
