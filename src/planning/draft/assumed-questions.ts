import type { Notification } from '../../schema/notification.ts';
import type { FileBlock } from '../file-blocks.ts';
import { MASTER } from '../plan/parse-plan.ts';

/** Lists in the master what the agent asked although nobody was to be asked. */
export function withAssumed(files: FileBlock[], assumed: readonly Notification[]): FileBlock[] {
  const section = assumptions(assumed);
  return files.map((file) =>
    file.name === MASTER && section !== ''
      ? { ...file, content: `${file.content.trimEnd()}\n${section}` }
      : file,
  );
}

function assumptions(assumed: readonly Notification[]): string {
  const lines = assumed.flatMap(({ id, questions }) =>
    questions.map(
      (question) =>
        `- ${question.text.replace(/\s+/g, ' ').trim()} (asked by the agent, answered with "assume"; ${id})`,
    ),
  );
  return lines.length === 0 ? '' : `\n## Questions that nobody was asked\n\n${lines.join('\n')}\n`;
}
