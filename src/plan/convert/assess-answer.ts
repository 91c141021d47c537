import { auditPlan } from '../audit/audit-plan.ts';
import type { Issue, Surroundings } from '../audit/rule.ts';
import { type BlockProblem, type FileBlock, readFileBlocks } from '../file-blocks.ts';
import { parsePlan } from '../grammar/parse-plan.ts';
import type { Plan } from '../grammar/plan.ts';
import { planFromProgress } from '../progress/plan-from-progress.ts';
import type { ProgressProblem } from '../progress/read-progress.ts';
import { progressIn, readProgress } from '../progress/read-progress.ts';

/** An agent's answer, judged. */
export interface Assessment {
  /** The usable files. */
  files: FileBlock[];
  /** The plan has no errors, and no part of the answer was unusable. */
  auditPassed: boolean;
  issues: Issue[];
}

/** Reads the files from an answer and audits them as a plan; `edit` may change them first. */
export function assessAnswer(
  answer: string,
  surroundingsOf: (plan: Plan) => Surroundings,
  edit: (files: FileBlock[]) => FileBlock[] = (files) => files,
): Assessment {
  const { files: found, issues } = readAnswer(answer, surroundingsOf(parsePlan([])).scripts);
  const files = edit(found);
  const plan = parsePlan(files.map(({ name, content }) => ({ path: name, text: content })));
  const audit = auditPlan(plan, surroundingsOf(plan));
  return { files, auditPassed: audit.passed && issues.length === 0, issues: [...issues, ...audit.issues] };
}

/** An answer with more problems is not a plan, and nobody reads them all. */
const MAX_PROBLEMS = 100;

/** The files in an agent's answer: its file blocks, or those of the plan in a progress file. */
function readAnswer(
  answer: string,
  scripts: ReadonlySet<string> | undefined,
): { files: FileBlock[]; issues: Issue[] } {
  const { files, problems } = readFileBlocks(answer);
  if (files.length > 0 || problems.length > 0) {
    return { files, issues: problems.slice(0, MAX_PROBLEMS).map(blockIssue) };
  }
  const progress = readProgress(progressIn(answer) ?? '');
  if (!progress) return { files, issues: [noFiles] };
  const issues = progress.problems.slice(0, MAX_PROBLEMS).map(boxIssue);
  return { files: planFromProgress(progress, scripts), issues };
}

/** The place of a problem with the answer itself. */
const ANSWER = 'the answer';

const noFiles: Issue = {
  severity: 'error',
  code: 'NO_FILE_BLOCKS',
  message: 'The answer has no ---FILE: name--- … ---END FILE--- blocks.',
  file: ANSWER,
  line: 1,
  column: 1,
  suggestion: "Answer with the plan's files and nothing else.",
};

function blockIssue({ code, message, line }: BlockProblem): Issue {
  const suggestion = 'Send each file once, complete, with a plain name, between its two marker lines.';
  return { severity: 'error', code, message, file: ANSWER, line, column: 1, suggestion };
}

function boxIssue({ message, line, suggestion }: ProgressProblem): Issue {
  return {
    severity: 'error',
    code: 'BROKEN_CHECKBOX',
    message,
    file: 'progress.md',
    line,
    column: 1,
    suggestion,
  };
}
