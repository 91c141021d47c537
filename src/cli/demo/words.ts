import { ownProgram } from '../../agents/process/own-program.ts';
import { findProgram } from '../../agents/process/program.ts';
import { quoted } from '../../agents/shell-words.ts';
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
    `Fermata at work: a small project, "shelf", has ${issues} issue(s).`,
    '',
    '  1  Questions and plan   What the issues leave open is asked, nothing else.',
    '                          An agent writes the plan; the audit checks it.',
    '  2  Work                 Agents carry it out side by side, each in a worktree',
    '                          of its own. Who is unsure asks, and only that one waits.',
    '  3  Result               One branch with everything merged, and what was decided.',
    '',
    agent === 'scripted'
      ? 'The agents are scripted: no account is needed, nothing leaves this machine.'
      : `${agent} does it for real: it takes longer, spends tokens, and may ask other things.`,
    ...(round > 1
      ? [`Round ${round}: what was decided before is known. To begin anew, remove ${folder}`]
      : []),
    ...answering,
  ].join('\n');
}

export const answerByScript = ['All questions are answered by script.'];

export function answerByPerson(link: string | undefined): string[] {
  const stop = 'Ctrl-C stops it at any time; the same command goes on.';
  if (link === undefined) return ['The web inbox could not be started; answer here.', stop];
  return ['Answer here or in your browser, whichever you like:', `  ${link}`, stop];
}

/** `── 2 · Work ─────`, as wide as a small terminal. */
export const heading = (title: string) => `\n── ${title} `.padEnd(WIDTH, '─');

/** Where to look now that it is over. */
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
