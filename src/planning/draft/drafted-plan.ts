import type { Notification } from '../../schema/notification.ts';
import { type BlockProblem, type FileBlock, readFileBlocks } from '../file-blocks.ts';

const MASTER = 'MASTER_PLAN.md';

export type DraftedPlan =
  | { files: Pick<FileBlock, 'name' | 'content'>[]; problems: BlockProblem[] }
  | { problem: string };

/**
 * Reads the plan out of an agent's answer. Text without file blocks is taken as the master plan where it is one
 * document; questions that nobody was asked are listed in it.
 */
export function draftedPlan(answer: string, assumed: Notification[]): DraftedPlan {
  const { files, problems } = readFileBlocks(answer);
  const found = files.length > 0 ? files : wholeDocument(answer, problems);
  const master = found.find((file) => file.name === MASTER);
  if (!master) {
    return {
      problem: problems[0]?.message ?? `it has no file ${MASTER} and is no Markdown document with a title.`,
    };
  }
  const content = `${master.content.trimEnd()}\n${assumptions(assumed)}`;
  return { files: found.map((file) => (file === master ? { ...file, content } : file)), problems };
}

function wholeDocument(answer: string, problems: BlockProblem[]): FileBlock[] {
  const text = answer.trim();
  if (problems.length > 0 || !/^# \S/.test(text)) return [];
  return [{ name: MASTER, content: `${text}\n`, line: 1 }];
}

function assumptions(assumed: Notification[]): string {
  const lines = assumed.flatMap(({ id, questions }) =>
    questions.map(
      (question) =>
        `- ${question.text.replace(/\s+/g, ' ').trim()} (asked by the agent, answered with "assume"; ${id})`,
    ),
  );
  return lines.length === 0 ? '' : `\n## Questions that nobody was asked\n\n${lines.join('\n')}\n`;
}
