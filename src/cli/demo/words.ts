import { findProgram, ownProgram } from '../../agents/process/program.ts';
import { quoted } from '../../schema/command-line.ts';
import { counted } from '../../schema/counted.ts';
import type { DemoStage } from './stage.ts';

const WIDTH = 78;

/** What a person sees first: what this is, what will happen, where to answer, how to stop. */
export function introduction(
  { folder, round }: DemoStage,
  issues: number,
  agent: string,
  answering: string[],
): string {
  return [
    `Fermata at work: a small project, "shelf", has ${counted(issues, 'issue')}.`,
    '',
    '  1  Questions and plan   Fermata asks only what the issues leave open.',
    '                          An agent writes the plan; the audit checks it.',
    '  2  Work                 Agents carry it out in parallel, each in its own',
    '                          worktree. An agent that is unsure asks, and only it waits.',
    '  3  Result               One branch with everything merged, and your decisions.',
    '',
    agent === 'scripted'
      ? [
          'The agents are scripted: you need no account, and nothing leaves this machine. They make two mistakes on purpose,',
          'and build every option that you are offered. Only real agents (--agent claude) can build what you say in your own words.',
        ].join('\n')
      : `${agent} does the real work: it takes longer, uses tokens, and may ask other questions.`,
    ...(round > 1 ? [`Round ${round}: your earlier decisions apply. To start over, remove ${folder}`] : []),
    ...answering,
  ].join('\n');
}

export const answerByScript = ['A script answers all questions.'];

export function answerByPerson(link: string | undefined): string[] {
  const stop = 'Stop at any time with Ctrl-C; the same command continues.';
  if (link === undefined) return ['The web inbox could not start; answer here.', stop];
  return ['Answer here or in your browser, whichever you like:', `  ${link}`, stop];
}

/** `── 2 · Work ─────`, as wide as a small terminal. */
export const heading = (title: string) => `\n── ${title} `.padEnd(WIDTH, '─');

/** Where to look when it is over. */
export function whatNow({ repository, home, plan }: DemoStage): string {
  const isThere = findProgram('fermata', process.env, process.cwd()) !== undefined;
  return [
    '',
    'Look around:',
    ...(isThere ? [] : [`  alias fermata=${quoted(`node ${quoted(ownProgram('fermata.cjs'))}`)}`]),
    `  cd ${quoted(repository)}`,
    '  git log --graph --oneline         what was merged, from which worktrees',
    `  export FERMATA_HOME=${quoted(home)}`,
    `  fermata plan show ${plan}`,
    '  fermata decisions                 what was decided; a second demo asks less',
    '  fermata serve --open              all of it in the browser',
    '',
    'With your own project, in a new terminal:',
    '  fermata plan-from-issues --repo OWNER/NAME --output plans/next',
    '  fermata run plans/next',
  ].join('\n');
}
