import type { Step } from '../../../src/testing/step.ts';

/** The first one works for ever and says so all the time; whoever comes after it says so once, and is done. */
export const worksForEver = [
  'log="$(git rev-parse --git-common-dir)/log"',
  'if mkdir "$log.first" 2>/dev/null',
  'then while :; do echo first >> "$log"; sleep 0.1; done',
  'else echo second >> "$log"; echo made > made.txt',
  'fi',
].join('; ');

/** An agent that is taken up again may count what it was at as done; then it does it with its next step. */
export const agentWorksForEver: Step[] = [
  { do: 'run', command: worksForEver },
  { do: 'run', command: worksForEver },
];
