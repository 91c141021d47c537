import { auditPlan } from '../audit/audit-plan.ts';
import type { Issue } from '../audit/issue.ts';
import type { Surroundings } from '../audit/surroundings.ts';
import { type BlockProblem, type FileBlock, readFileBlocks } from '../file-blocks.ts';
import { parsePlan } from '../plan/parse-plan.ts';
import type { Plan } from '../plan/plan.ts';

/** An answer with more is no plan, and nobody reads them all. */
const MOST_PROBLEMS = 100;

/** An agent's answer, judged. */
export interface Assessment {
  /** What can be written of it. */
  files: FileBlock[];
  /** The plan is without errors, and nothing of the answer was unusable. */
  auditPassed: boolean;
  issues: Issue[];
}

/** Reads the files out of an answer and audits them as a plan; `edit` may change them before. */
export function assessAnswer(
  answer: string,
  surroundingsOf: (plan: Plan) => Surroundings,
  edit: (files: FileBlock[]) => FileBlock[] = (files) => files,
): Assessment {
  const { files: found, problems } = readFileBlocks(answer);
  const files = edit(found);
  const plan = parsePlan(files.map(({ name, content }) => ({ path: name, text: content })));
  const audit = auditPlan(plan, surroundingsOf(plan));
  const unusable = problems.slice(0, MOST_PROBLEMS).map(issueOf);
  if (found.length === 0 && problems.length === 0) unusable.push(noFiles);
  return {
    files,
    auditPassed: audit.passed && unusable.length === 0,
    issues: [...unusable, ...audit.issues],
  };
}

/** The place of what is wrong with the answer itself. */
const ANSWER = 'the answer';

const noFiles: Issue = {
  severity: 'error',
  code: 'NO_FILE_BLOCKS',
  message: 'The answer has no ---FILE: name--- … ---END FILE--- blocks, so there is nothing to read.',
  file: ANSWER,
  line: 1,
  column: 1,
  suggestion: 'Answer with the files of the plan and nothing else.',
};

function issueOf({ code, message, line }: BlockProblem): Issue {
  const suggestion = 'Give each file once, whole, with a plain name, between its two lines.';
  return { severity: 'error', code, message, file: ANSWER, line, column: 1, suggestion };
}
