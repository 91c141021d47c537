import type { Notification } from '../../schema/notification.ts';
import type { FileBlock } from '../file-blocks.ts';
import { MASTER } from '../grammar/parse-plan.ts';

/** Lists in the master what the agent asked although it was told not to ask. */
export function withAssumed(files: FileBlock[], assumed: readonly Notification[]): FileBlock[] {
  const section = assumptions(assumed);
  return files.map((file) =>
    file.name === MASTER && section !== ''
      ? { ...file, content: `${file.content.trimEnd()}\n${section}` }
      : file,
  );
}

function assumptions(assumed: readonly Notification[]): string {
  const lines = assumed.flatMap(({ id, questions, responses }) =>
    questions.map((question) => {
      const response = responses.find(({ questionId }) => questionId === question.id);
      const isDecided = response?.kind === 'answered' && response.by.actor.name === 'decision';
      const how = isDecided
        ? `answered with an earlier decision: ${oneLine(String(response.answer))}`
        : 'answered with "assume"';
      return `- ${oneLine(question.text)} (asked by the agent, ${how}; ${id})`;
    }),
  );
  return lines.length === 0 ? '' : `\n## Questions that were not put to a person\n\n${lines.join('\n')}\n`;
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
