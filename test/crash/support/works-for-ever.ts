import type { Step } from '../../../src/testing/scenario.ts';

/** The first process works forever and keeps saying so; a later one says so once and is done. */
export const worksForEver = [
  'log="$(git rev-parse --git-common-dir)/log"',
  'if mkdir "$log.first" 2>/dev/null',
  'then while :; do echo first >> "$log"; sleep 0.1; done',
  'else echo second >> "$log"; echo made > made.txt',
  'fi',
].join('; ');

/** A resumed agent may count its last step as done, so its next step does the work. */
export const agentWorksForEver: Step[] = [
  { do: 'run', command: worksForEver },
  { do: 'run', command: worksForEver },
];
