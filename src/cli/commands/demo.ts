import type { Command } from 'commander';
import { loadSettings } from '../../config/settings.ts';
import { requireGit } from '../../git/git.ts';
import { quoted } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { type AgentOptions, chooseAgent, requireAgent } from '../../work/agent/choose-agent.ts';
import { withAgentOptions } from '../agents/agent-options.ts';
import { isAtTerminal } from '../at-terminal.ts';
import type { CommonOptions } from '../command.ts';
import { withFermataHub } from '../demo/own-command.ts';
import { playDemo } from '../demo/play.ts';
import { readAnswers } from '../demo/scripted-person.ts';
import { closeStage, makeRepository, openStage } from '../demo/stage.ts';
import { demoIssues } from '../demo/story.ts';
import { summaryText } from '../demo/summary.ts';
import * as words from '../demo/words.ts';
import { exit, isInterruption } from '../exit.ts';
import { interruptible } from '../interrupt.ts';
import { print, printJson, tell } from '../output.ts';

interface Options extends CommonOptions, AgentOptions {
  headless?: true;
  issues?: string;
  answers?: string;
  folder?: string;
}

export function define(command: Command): void {
  withAgentOptions(
    command.description(
      'Run the whole workflow on a sample project: issues become questions, the answers become a plan, agents carry it out, and their work is merged.',
    ),
    'scripted',
  )
    .option('--headless', 'let a script answer')
    .option('--issues <dir>', 'use these issues instead (Markdown files, as for plan-from-issues)')
    .option('--answers <file>', 'what the script answers: JSON like {"part of the question": "answer"}')
    .option('--folder <dir>', 'where to run: an empty folder, or the folder of an earlier demo')
    .addHelpText(
      'after',
      `
Examples:
  fermata demo
  fermata demo --headless --folder ./demo
  fermata demo --agent claude

Answer in this terminal or in the browser, whichever you like. If a demo was interrupted, the same command continues it.
A second demo knows what you decided in the first one, and asks less. With --agent claude or codex, a real agent does the
work.`,
    )
    .action(async (options: Options) => {
      const headless = options.headless === true;
      if (!headless && !isAtTerminal()) {
        throw new FermataError(
          'waiting',
          'The demo asks you a few questions, but there is no terminal here. Run it in one, or with --headless.',
        );
      }
      await interruptible((signal) => demo(options, headless, signal));
    });
}

async function demo(options: Options, headless: boolean, signal: AbortSignal): Promise<void> {
  const issues = demoIssues(options.issues);
  const answers = options.answers === undefined ? {} : await readAnswers(options.answers);
  await requireDemoAgent(options);
  await requireGit();
  const stage = openStage(options.folder, issues);
  await makeRepository(stage, issues);
  const play = (answering: string[]) =>
    playDemo(stage, { headless, agent: options, answering, issues, answers, signal, say: tell });
  try {
    const result = headless
      ? await play(words.answerByScript)
      : await withFermataHub(stage, signal, (link) => play(words.answerByPerson(link)));
    closeStage(stage);
    if (options.format === 'json') await printJson(result);
    else {
      tell(words.heading('3 · Result'));
      await print(
        `${summaryText(result)}\n\nEverything is merged into ${result.branch}; its tests ${result.tests_passed ? 'pass' : 'FAIL'}.`,
      );
      tell(words.whatNow(stage));
    }
    if (!result.tests_passed) process.exitCode = exit.failed;
  } catch (error) {
    if (!isInterruption(error)) throw error;
    tell(`Everything so far is kept. Continue with: ${ownCommandLine()}`);
    if (options.format === 'json') throw error;
    process.exitCode = exit.interrupted;
  }
}

async function requireDemoAgent(options: Options): Promise<void> {
  if (options.agent === 'scripted') return;
  const { driver, setup } = await chooseAgent(
    { settings: loadSettings(process.cwd(), process.env, options) },
    options,
    { cwd: process.cwd(), mustAsk: false },
  );
  try {
    await requireAgent(driver, setup);
  } catch (error) {
    if (!(error instanceof FermataError)) throw error;
    const { code, message } = error;
    throw new FermataError(code, `${message} Without --agent, the demo uses scripted agents.`);
  }
}

/** The command line that the person typed. */
function ownCommandLine(): string {
  const words = process.argv.slice(3).map(quoted);
  if (process.env.npm_lifecycle_event !== 'demo') return ['fermata demo', ...words].join(' ');
  return ['npm run demo', ...(words.length > 0 ? ['--', ...words] : [])].join(' ');
}
