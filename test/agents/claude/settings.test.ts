import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claudeDriver } from '../../../src/agents/claude/driver.ts';
import { personalSettings } from '../../../src/agents/claude/launch.ts';
import type { AgentSetup } from '../../../src/agents/driver.ts';
import { freshFolder } from '../../support/fermata.ts';
import { isLong } from '../../support/long.ts';
import { longTest } from '../../support/long-test.ts';
import { startAnthropic } from '../../support/model/anthropic.ts';
import { text, toolUse } from '../../support/model/anthropic-reply.ts';
import { toolResult } from '../../support/model/anthropic-request.ts';
import { claudeHome } from '../../support/model/cli-home.ts';
import { CLAUDE_NOW, CLAUDES, type RealCliName, realCli } from '../clis/real-cli.ts';
import { follow } from './stand-in.ts';

/** `npm test` has the mode that would ask least, with the newest; test/long has all of them, with both. */
const MODES = isLong ? ['acceptEdits', 'bypassPermissions', 'dontAsk'] : ['bypassPermissions'];

describe.each(isLong ? CLAUDES : CLAUDE_NOW)('the settings of a person who has %s', (name: RealCliName) => {
  longTest.for(MODES)(
    'HEAR-9 a person is asked although the mode is %s; login and model still count',
    async (mode, { skip }) => {
      const program = await realCli(name, skip);
      const model = await startAnthropic([
        toolUse('toolu_bash', 'Bash', { command: 'touch made', description: 'make a file' }),
        toolUse('toolu_write', 'Write', { file_path: 'written', content: 'x' }),
        text('Done.'),
      ]);
      onTestFinished(() => model.stop());
      const { env, home, cwd, remove } = claudeHome(model.url);
      onTestFinished(remove);
      const { ANTHROPIC_API_KEY: _, ...noKey } = env;
      const login = { apiKeyHelper: 'echo sk-ant-helped', model: 'claude-of-their-own' };
      write(home, { ...login, permissions: { defaultMode: mode } });
      const setup: AgentSetup = { cwd, env: noKey, program, mustAsk: true };
      const { run, event } = follow(claudeDriver().start(setup, 'Go.'));
      for (const id of ['toolu_bash', 'toolu_write']) {
        await event('permission', (each) => each.id === id);
        expect(await run.permit(id, false, { note: 'No.' })).toBe(true);
      }
      expect(await run.ended).toMatchObject({ reason: 'ok', text: 'Done.' });
      expect(readdirSync(cwd)).toEqual([]);
      expect(toolResult(model.requests, 'toolu_write')).toEqual({ text: 'No.', isError: true });
      expect(model.requests[0]?.model).toBe('claude-of-their-own');
    },
  );
});

it('HEAR-9 rules, hooks and a sandbox of the person that still apply are named', () => {
  const home = freshFolder();
  expect(personalSettings({ HOME: home })).toEqual([]);
  const allow = ['Bash(npm run *)', 'A', 'B', 'C', 'D\u001b[2J', 'E', 'F'];
  write(home, { permissions: { allow }, hooks: { PreToolUse: [{}], Stop: [] } });
  const file = join(home, '.claude/settings.json');
  const said = [
    `Your own settings allow without asking: Bash(npm run *), A, B, C, D␛[2J, 2 more (${file}).`,
    `Your own hooks run for PreToolUse (${file}).`,
  ];
  expect(personalSettings({ HOME: home })).toEqual(said);
  expect(personalSettings({ HOME: '/nowhere', CLAUDE_CONFIG_DIR: join(home, '.claude') })).toEqual(said);
  write(home, { sandbox: { enabled: true } });
  expect(personalSettings({ HOME: home })).toEqual([
    `Your own settings let commands run in Claude Code's sandbox without asking (${file}).`,
  ]);
  write(home, { sandbox: { enabled: true, autoAllowBashIfSandboxed: false } });
  expect(personalSettings({ HOME: home })).toEqual([]);
  writeFileSync(file, '{');
  expect(personalSettings({ HOME: home })).toEqual([]);
});

function write(home: string, settings: object): void {
  mkdirSync(join(home, '.claude'), { recursive: true });
  writeFileSync(join(home, '.claude/settings.json'), JSON.stringify(settings));
}
