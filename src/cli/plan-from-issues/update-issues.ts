import { applyUpdates, previewUpdates } from '../../issues/github/updates.ts';
import type { Issue } from '../../issues/issue.ts';
import { type ResolvedQuestion, withAnswer } from '../../plan/from-issues/questions.ts';
import { counted } from '../../schema/counted.ts';
import { isAtTerminal } from '../at-terminal.ts';
import { confirm } from '../confirm.ts';
import { exit } from '../exit.ts';
import { tell } from '../output.ts';
import { progressLine } from '../progress-line.ts';

/** Writes answers to their issues as comments, after showing the exact text; at a terminal, after confirmation. */
export async function updateIssues(
  repo: string,
  issues: Issue[],
  resolved: ResolvedQuestion[],
  signal: AbortSignal,
): Promise<void> {
  const answered = withAnswer(resolved).map(({ question, resolution }) => ({
    question: question.question,
    answer: resolution.answer,
    issues: question.issues,
  }));
  const updates = previewUpdates(answered, issues);
  if (updates.length === 0) return tell('Nothing new to write to the issues.');
  for (const { issue, text } of updates) tell(`\nComment on ${repo}#${issue}:\n${text.replace(/^/gm, '  ')}`);
  const isWanted =
    !isAtTerminal() || (await confirm(`Write ${counted(updates.length, 'comment')}?`, { signal }));
  if (!isWanted) return tell('Nothing was written to the issues.');
  const line = progressLine();
  try {
    for (const result of await applyUpdates(repo, updates, {
      env: process.env,
      signal,
      onProgress: line.show,
    })) {
      line.clear();
      const said = result.status === 'failed' ? `failed: ${result.message}` : result.status;
      tell(`#${result.issue}: ${said}`);
      if (result.status === 'failed') process.exitCode = exit.failed;
    }
  } finally {
    line.clear();
  }
}
