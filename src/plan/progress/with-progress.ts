import type { FileBlock } from '../file-blocks.ts';
import { parsePlan } from '../grammar/parse-plan.ts';
import { progressFromPlan } from './progress-from-plan.ts';

export const PROGRESS = 'progress.md';

/** The files of a plan with their progress file, unless they have one or are not a plan. */
export function withProgress(files: FileBlock[]): FileBlock[] {
  const plan = parsePlan(files.map(({ name, content }) => ({ path: name, text: content })));
  if (plan.phases.length === 0 || files.some(({ name }) => name === PROGRESS)) return files;
  return [...files, { name: PROGRESS, content: progressFromPlan(plan), line: 1 }];
}
