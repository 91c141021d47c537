import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { codexDriver } from '../../../src/agents/codex/driver.ts';
import { codexHome } from '../../support/model/cli-home.ts';
import { functionCall, message } from '../../support/model/openai-reply.ts';
import { startOpenAi } from '../../support/model/openai-responses.ts';
import { CODEX, realCli } from '../clis/real-cli.ts';
import { Follower } from '../conformance/follow.ts';

it('HEAR-9 Codex asks a person, now and when it is resumed, although the config says never', async ({
  skip,
}) => {
  const escalated = { sandbox_permissions: 'require_escalated', justification: 'It makes a file.' };
  const make = (id: string) => functionCall(id, 'exec_command', { cmd: `touch ${id}`, ...escalated });
  const program = await realCli(CODEX, skip);
  const model = await startOpenAi([make('call_one'), message('One.'), make('call_two'), message('Two.')]);
  onTestFinished(() => model.stop());
  const home = codexHome(model.url);
  onTestFinished(() => home.remove());
  const config = join(home.home, '.codex/config.toml');
  const own = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n';
  writeFileSync(config, `${own}${readFileSync(config, 'utf8')}`);
  const setup = { cwd: home.cwd, env: home.env, program, mustAsk: true };

  const first = new Follower(codexDriver.start(setup, 'Go.'));
  const { sessionId } = await first.take('session');
  await refuse(first);
  expect(await first.run.ended).toMatchObject({ reason: 'ok', text: 'One.' });
  const second = new Follower(codexDriver.resume(setup, { agent: 'codex', sessionId }, []));
  await refuse(second);
  expect(await second.run.ended).toMatchObject({ reason: 'ok', text: 'Two.' });
  expect(['call_one', 'call_two'].filter((file) => existsSync(join(home.cwd, file)))).toEqual([]);
});

it('HEAR-9 what the rules of the person allow is not asked, and their files are named', async ({ skip }) => {
  const program = await realCli(CODEX, skip);
  const escalated = { sandbox_permissions: 'require_escalated', justification: 'It makes a file.' };
  const model = await startOpenAi([
    functionCall('call_ruled', 'exec_command', { cmd: 'touch ruled', ...escalated }),
    functionCall('call_asked', 'exec_command', { cmd: 'mkdir asked', ...escalated }),
    message('Done.'),
  ]);
  onTestFinished(() => model.stop());
  const home = codexHome(model.url);
  onTestFinished(() => home.remove());
  const rules = join(home.home, '.codex/rules');
  const setup = { cwd: home.cwd, env: home.env, program, mustAsk: true };
  expect(await codexDriver.probe(setup)).toMatchObject({ found: true, notes: [] });
  mkdirSync(rules);
  writeFileSync(join(rules, 'own.rules'), 'prefix_rule(pattern=["touch"], decision="allow")\n');
  writeFileSync(join(rules, 'read.me'), '');
  expect(await codexDriver.probe(setup)).toMatchObject({
    notes: [`Your own rules decide what runs without asking (${join(rules, 'own.rules')}).`],
  });

  const agent = new Follower(codexDriver.start(setup, 'Go.'));
  const { id, input } = await agent.take('permission');
  expect(input).toMatchObject({ command: 'mkdir asked' });
  expect(await agent.run.permit(id, false)).toBe(true);
  expect(await agent.run.ended).toMatchObject({ reason: 'ok', text: 'Done.' });
  expect(['ruled', 'asked'].map((name) => existsSync(join(home.cwd, name)))).toEqual([true, false]);
});

async function refuse(agent: Follower): Promise<void> {
  const { id } = await agent.take('permission');
  expect(await agent.run.permit(id, false)).toBe(true);
}
