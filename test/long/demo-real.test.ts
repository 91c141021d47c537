import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { demoIssues, demoPhases } from '../../src/cli/demo/story.ts';
import { CLAUDES, CODEX, type RealCliName, realCli } from '../agents/clis/real-cli.ts';
import { demoModel, type Wish } from '../cli/support/demo-model.ts';
import { fermata } from '../support/fermata.ts';
import { startAnthropic } from '../support/model/anthropic.ts';
import { type Block, text, toolUse } from '../support/model/anthropic-reply.ts';
import { type CliHome, claudeHome, codexHome } from '../support/model/cli-home.ts';
import { functionCall, type Item, message } from '../support/model/openai-reply.ts';
import { startOpenAi } from '../support/model/openai-responses.ts';
import { sh } from '../work/support/repository.ts';

const LONG = 240_000;

function claudes(wish: Wish, id: string): Block {
  switch (wish.do) {
    case 'say':
      return text(wish.text);
    case 'bash':
      return toolUse(id, 'Bash', { command: wish.command, description: 'a step' });
    case 'read':
      return toolUse(id, 'Read', { file_path: wish.path });
    case 'write':
      return toolUse(id, 'Write', { file_path: wish.path, content: wish.content });
    case 'ask':
      return toolUse(id, 'AskUserQuestion', {
        questions: [{ question: wish.question, header: 'Choice', multiSelect: false, options: wish.options }],
      });
  }
}

/** Git and Fermata write outside its sandbox, so it asks to leave it, as its instructions say. */
const escalated = { sandbox_permissions: 'require_escalated', justification: 'May it write there?' };

function codexs(wish: Wish, id: string): Item {
  const run = (cmd: string, more = {}) => functionCall(id, 'exec_command', { cmd, ...more });
  switch (wish.do) {
    case 'say':
      return message(wish.text);
    case 'bash':
      return run(wish.command, escalated);
    case 'read':
      return run(`cat ${wish.path}`);
    case 'write':
      return run(`cat > ${wish.path} <<'END OF FILE'\n${wish.content}END OF FILE`);
    case 'ask':
      return functionCall(id, 'ask_human', {
        questions: [{ question: wish.question, header: 'Choice', options: wish.options }],
      });
  }
}

interface RealAgent {
  agent: string;
  name: RealCliName;
  start(
    model: ReturnType<typeof demoModel>,
  ): Promise<{ url: string; refused: readonly string[]; strays: readonly string[]; stop(): Promise<void> }>;
  home(url: string): CliHome;
}

const agents: RealAgent[] = [
  {
    agent: 'claude',
    name: CLAUDES[1],
    start: (model) =>
      startAnthropic(({ system, messages }, index) => {
        const said = messages.flatMap(({ content }) => content);
        const calls = said.filter(({ type }) => type === 'tool_use').length;
        return claudes(model({ text: JSON.stringify([system, messages]), calls }), `toolu_${index}`);
      }),
    home: claudeHome,
  },
  {
    agent: 'codex',
    name: CODEX,
    start: (model) =>
      startOpenAi(({ instructions, input }, index) => {
        const calls = input.filter(({ type }) => type === 'function_call').length;
        return codexs(model({ text: JSON.stringify([instructions, input]), calls }), `call_${index}`);
      }),
    home: codexHome,
  },
];

describe.each(agents)('DRV-7 CLI-demo with the real $name', ({ agent, name, start, home: homeOf }) => {
  test(
    'goes through plan, audit, question, failing gate, variants and merge; our commands and git need no permission',
    async ({ skip }) => {
      const program = await realCli(name, skip);
      const model = await start(demoModel(demoPhases(demoIssues(undefined), 'plans/wishes-1')));
      onTestFinished(() => model.stop());
      const home = homeOf(model.url);
      onTestFinished(() => home.remove());
      const bin = join(home.home, 'bin');
      mkdirSync(bin);
      symlinkSync(program, join(bin, agent));
      const folder = join(home.cwd, 'play');
      const { code, stdout, stderr } = await fermata(
        ['demo', '--headless', '--json', '--agent', agent, '--folder', folder],
        { cwd: home.cwd, env: { ...home.env, PATH: `${bin}${delimiter}${home.env.PATH}` }, limitMs: LONG },
      );
      expect(code, stderr).toBe(0);
      expect({ refused: model.refused, strays: model.strays }).toEqual({ refused: [], strays: [] });
      expect(stderr).toContain('has 3 errors to fix');
      expect(stderr).toContain('Gate commands failed');
      const { asked, tests_passed } = JSON.parse(stdout);
      expect(tests_passed).toBe(true);
      const questions = asked.map(({ question }: { question: string }) => question).join('\n');
      expect(asked, questions).toHaveLength(6);
      for (const part of [
        'by title or by year',
        'everything or nothing',
        'JSON or INI',
        'Which separator',
        'variant B',
      ])
        expect(questions).toContain(part);
      const repository = join(folder, 'shelf');
      expect(readFileSync(join(repository, 'CHANGELOG.md'), 'utf8')).toContain('Export the list as CSV');
      const history = sh(repository, 'log', '--format=%s', 'wishes-1').split('\n');
      expect(history.filter((line) => line.startsWith('Merge branch'))).toHaveLength(4);
      expect(history, 'its own commit').toContain('Update the change log');
    },
    LONG,
  );
});
