import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findRepository } from '../../config/repository.ts';
import { readBounded } from '../../files/read-bounded.ts';
import { shownPath } from '../../files/real-path.ts';
import { writeAtOnce } from '../../files/write-at-once.ts';
import { auditPlan } from '../../plan/audit/audit-plan.ts';
import { gatherSurroundings } from '../../plan/audit/gather-surroundings.ts';
import { parsePlan } from '../../plan/grammar/parse-plan.ts';
import { readPlan } from '../../plan/grammar/read-plan.ts';
import { hasMaster, refuseUnusableFolder, slug } from '../../plan/plan-folder.ts';
import { planFromProgress } from '../../plan/progress/plan-from-progress.ts';
import { PROGRESS, progressFromPlan, withProgress } from '../../plan/progress/progress-from-plan.ts';
import { lostLine, type Progress, readProgress } from '../../plan/progress/read-progress.ts';
import { writePlanFolder } from '../../plan/write-plan-folder.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { tellIssues } from '../attempt-view.ts';
import { print, printJson } from '../output.ts';
import type { DraftOptions } from './draft.ts';
import { tellNext } from './tell-next.ts';

/** A larger file is not a progress file. */
const MAX_SIZE = 1024 * 1024;

/** Handles input that needs no agent: a progress file becomes a plan, and a plan gets its progress file. */
export async function planInput(input: string | undefined, options: DraftOptions): Promise<boolean> {
  const found = input === undefined || input.length > 500 ? undefined : kindOf(input);
  if (input === undefined || !found || options.resume) return false;
  if (found.isDirectory()) {
    if (!hasMaster(resolve(input))) return false;
    await writeProgress(resolve(input), options);
    return true;
  }
  if (!found.isFile() || found.size > MAX_SIZE) return false;
  const progress = readProgress(readBounded(input, MAX_SIZE, '') ?? '');
  if (!progress) return false;
  await makePlan(input, progress, options);
  return true;
}

function kindOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // a text, not a path
  }
}

async function makePlan(input: string, progress: Progress, options: DraftOptions): Promise<void> {
  const [problem] = progress.problems;
  if (problem) {
    const more = progress.problems.length > 1 ? ` (${progress.problems.length} like this)` : '';
    const message = `${input}, line ${problem.line}: ${problem.message}${more} ${problem.suggestion}`;
    throw new FermataError('invalid', message);
  }
  const top = findRepository('.')?.top ?? process.cwd();
  const output = resolve(options.output ?? join(top, 'plans', slug(progress.title)));
  refuseUnusableFolder(output);
  const { scripts } = gatherSurroundings(top, parsePlan([]));
  const files = withProgress(planFromProgress(progress, scripts));
  const plan = parsePlan(files.map(({ name, content }) => ({ path: name, text: content })));
  const { passed, issues } = auditPlan(plan, gatherSurroundings(output, plan));
  tellIssues(passed ? 'Audit warnings:' : 'Problems in the plan:', issues);
  if (!passed)
    throw new FermataError(
      'invalid',
      `${input} does not make a plan that passes the audit. Nothing was written.`,
    );
  writePlanFolder(output, files);
  const names = files.map(({ name }) => name);
  if (options.format === 'json')
    return printJson({ output, files: names, progress: join(output, PROGRESS), issues });
  await print([shownPath(output), ...names.map((name) => `  ${name}`)].join('\n'));
  tellNext(output);
}

async function writeProgress(folder: string, options: DraftOptions): Promise<void> {
  const { plan } = readPlan(folder);
  if (plan.phases.length === 0) {
    const audit = cmd`audit ${shownPath(folder)}`;
    throw new FermataError('invalid', `${shownPath(folder)} has no readable phase. "${audit}" says why.`);
  }
  const text = progressFromPlan(plan);
  const path = join(folder, PROGRESS);
  const lost = lostLine(readBounded(path, MAX_SIZE, 'Move it away first.') ?? '', text);
  if (lost) {
    const message = `${shownPath(path)}, line ${lost.line}: the plan does not have "${lost.text}". Move ${PROGRESS} away, or put the line into the plan.`;
    throw new FermataError('conflict', message);
  }
  writeAtOnce(path, text);
  if (options.format === 'json') return printJson({ output: folder, progress: path });
  await print(shownPath(path));
}
