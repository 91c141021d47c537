import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CLAUDES, CODEX, type RealCliName, realCli } from '../agents/clis/real-cli.ts';
import { asked } from '../support/asked.ts';
import { fermata, freshFolder, startFermata } from '../support/fermata.ts';
import { startAnthropic } from '../support/model/anthropic.ts';
import { text, toolUse } from '../support/model/anthropic-reply.ts';
import { type CliHome, claudeHome, codexHome } from '../support/model/cli-home.ts';
import { functionCall, message } from '../support/model/openai-reply.ts';
import { startOpenAi } from '../support/model/openai-responses.ts';
import { call, makeWorktree, planProject } from '../work/support/plan-project.ts';
import { commit } from '../work/support/repository.ts';

/** A loaded machine needs a while to start so many programs. */
const question = {
  question: 'Which page?',
  header: 'Page',
  multiSelect: false,
  options: [
    { label: 'Home', description: 'the first' },
    { label: 'Search', description: 'the other' },
  ],
};

interface RealAgent {
  name: RealCliName;
  agent: string;
  /** Asks first if wanted, then answers. */
  start(
    answer: string,
    asks: boolean,
  ): Promise<{ url: string; requests: readonly unknown[]; stop(): unknown }>;
  home(url: string): CliHome;
}

const agents: RealAgent[] = [
  {
    name: CLAUDES[1],
    agent: 'claude',
    start: (answer, asks) =>
      startAnthropic([
        ...(asks ? [toolUse('toolu_ask', 'AskUserQuestion', { questions: [question] })] : []),
        text(answer),
      ]),
    home: claudeHome,
  },
  {
    name: CODEX,
    agent: 'codex',
    start: (answer, asks) =>
      startOpenAi([
        ...(asks ? [functionCall('call_ask', 'ask_human', { questions: [question] })] : []),
        message(answer),
      ]),
    home: codexHome,
  },
];

describe.each(agents)('DRV-7 the roles with the real $name', ({ name, agent, start, home }) => {
  async function place(skip: (note: string) => never, answer: string, asks = false) {
    const program = await realCli(name, skip);
    const model = await start(answer, asks);
    onTestFinished(async () => void (await model.stop()));
    const made = home(model.url);
    onTestFinished(() => made.remove());
    const env = { ...made.env, FERMATA_HOME: join(made.home, 'fermata'), FERMATA_PROJECT: 'p' };
    const by = ['--agent', agent, '--agent-command', program];
    const heard = () => JSON.stringify(model.requests.at(-1));
    return { at: { cwd: made.cwd, env, limitMs: 60_000 }, by, heard };
  }

  test('CLI-feedback LED-9 the Analyst asks through its own tool, gets the answer, and adds tasks', async ({
    skip,
  }) => {
    const tasks = { category: 'ux', summary: 'Kept.', tasks: [{ title: 'Keep the filters' }] };
    const { at, by, heard } = await place(skip, JSON.stringify(tasks), true);
    const running = startFermata(['feedback', 'add', 'It forgets my filters', ...by, '--json'], at);
    running.child.stdin?.end();
    const open = await asked(at);
    expect(open.questions).toMatchObject([{ text: 'Which page?' }]);
    expect((await fermata(['answer', open.id, 'Search'], at)).code).toBe(0);
    const { code, stdout, stderr } = await running.ended;
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout).feedback).toMatchObject({ status: 'done', result: { tasks: ['t1'] } });
    expect(heard()).toMatch(/It forgets my filters[\s\S]*Search/);
  });

  test('CLI-prd the Dreamer changes a section', async ({ skip }) => {
    const { at, by, heard } = await place(
      skip,
      JSON.stringify({ content: 'Sell offline.', summary: 'Offline.' }),
    );
    writeFileSync(join(at.cwd, 'PRD.md'), '# Shop\n\n## Goals\n\nSell.\n');
    const { code, stderr } = await fermata(['prd', 'update', 'goals', 'It must work offline', ...by], at);
    expect(code, stderr).toBe(0);
    expect(readFileSync(join(at.cwd, 'PRD.md'), 'utf8')).toBe('# Shop\n\n## Goals\n\nSell offline.\n');
    expect(heard()).toContain('It must work offline');
  });

  test('CLI-plan ROLE-1 the Planner decomposes a plan', async ({ skip }) => {
    const phase = {
      title: 'Tables',
      tasks: ['One step'],
      gates: [{ name: 'tests', command: 'node --test' }],
      criteria: ['It works'],
    };
    const { at, by } = await place(skip, JSON.stringify({ title: 'Shop', phases: [phase] }));
    const { code, stdout, stderr } = await fermata(['plan', 'decompose', 'A shop', ...by, '--json'], at);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ phases: 1 });
  });

  test('CLI-review CMD-14 SEED-7 envoy gemini review uses the available agent, and says which', async ({
    skip,
  }) => {
    const { at, by, heard } = await place(skip, '{"verdict":"passed","thoughts":"Fine."}');
    const project = planProject([{ id: '1' }]);
    const env = { ...at.env, ...project.env, PATH: pathWith({ [agent]: by.at(-1) ?? '' }) };
    const main = { ...project, as: 'envoy', env, limitMs: 60_000 };
    const branch = 'feat/shop--implementation-1';
    await call(main, 'plan', 'start-prompt', '1', '--specialist', 'be', '--worktree', branch);
    const worktree = { ...main, ...makeWorktree(main, branch) };
    commit(worktree.cwd, 'work', { 'done.txt': 'written\n' });
    expect(await call(worktree, 'gemini', 'review', '1')).toMatchObject({
      code: 0,
      data: {
        verdict: 'passed',
        thoughts: 'Fine.',
        reviewer: agent,
        head: `Reviewed by ${agent}.`,
        iteration: expect.any(Number),
      },
    });
    expect(heard()).toContain('+written');
  });
});

/** A PATH with these programs and the system's, but no other agent of this machine. */
function pathWith(programs: Record<string, string>): string {
  const folder = freshFolder();
  for (const [name, program] of Object.entries({ ...programs, node: process.execPath }))
    symlinkSync(program, join(folder, name));
  return [folder, '/usr/bin', '/bin'].join(delimiter);
}
