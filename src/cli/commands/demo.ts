import type { Command } from 'commander';
import type { CommonOptions } from '../command.ts';
import { withFermataHub } from '../demo/with-hub.ts';
import { exit } from '../exit.ts';
import { interruptible } from '../interrupt.ts';
import { print, printJson, tell } from '../output.ts';

interface Options extends CommonOptions {
  headless?: true;
  issues?: string;
  answers?: string;
  folder?: string;
  agent: string;
}

export function define(command: Command): void {
  command
    .description(
      'See the whole thing at work on a sample project: issues become questions, the answers a plan, agents carry it out, and what they made is merged.',
    )
    .option('--headless', 'answer by script instead of by you')
    .option('--issues <dir>', 'play with these issues instead (Markdown files, as for plan-from-issues)')
    .option('--answers <file>', 'what the script answers: JSON like {"part of the question": "answer"}')
    .option('--folder <dir>', 'where to play; it is kept, and a second play there knows what was decided')
    .option('--agent <name>', 'who works: scripted, or a real one such as claude or codex', 'scripted')
    .addHelpText(
      'after',
      `
Examples:
  fermata demo
  fermata demo --headless --folder ./demo
  fermata demo --agent claude

Answer in this terminal or in the browser, whichever you like. A demo that was interrupted goes on when it is started again.`,
    )
    .action(async (options: Options) => {
      const headless = options.headless === true;
      if (!headless && !(process.stdin.isTTY && process.stderr.isTTY)) {
        tell(
          'fermata: The demo asks you a few questions, but there is no terminal here. Run it in one, or with --headless.',
        );
        process.exitCode = exit.waiting;
        return;
      }
      await interruptible((signal) => demo(options, headless, signal));
    });
}

async function demo(options: Options, headless: boolean, signal: AbortSignal): Promise<void> {
  const [{ openStage, closeStage }, { playDemo }, { demoIssues }, { readAnswers }, { summaryText }] =
    await Promise.all([
      import('../demo/stage.ts'),
      import('../demo/play.ts'),
      import('../demo/sample-issues.ts'),
      import('../demo/scripted-person.ts'),
      import('../demo/summary.ts'),
    ]);
  const issues = demoIssues(options.issues);
  const answers = options.answers === undefined ? {} : readAnswers(options.answers);
  const stage = openStage(options.folder);
  const say = (line: string) => tell(line);
  const play = () => playDemo(stage, { headless, agent: options.agent, issues, answers, signal, say });
  signal.addEventListener('abort', () =>
    tell(
      `Interrupted. Started again${options.folder ? ` with --folder ${options.folder}` : ''}, the demo goes on where it was.`,
    ),
  );
  const result = headless ? await play() : await withFermataHub(stage, say, signal, play);
  closeStage(stage);
  if (options.format === 'json') await printJson(result);
  else {
    await print(`\n${summaryText(result)}`);
    await print(
      `\nEverything is merged into ${result.branch} in ${stage.repository}; its tests ${result.tests_passed ? 'pass' : 'FAIL'}.`,
    );
  }
  if (!result.tests_passed) process.exitCode = exit.failed;
}
