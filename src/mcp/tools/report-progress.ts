import * as z from 'zod';
import { check } from '../../ledger/check.ts';
import type { Asker } from '../asker.ts';
import type { Tool } from '../tool.ts';

const Progress = z.object({
  message: z.string().min(1).describe('What is done and what comes next, in a sentence or two.'),
});

const Told = z.object({ shownIn: z.enum(['chat', 'notice']).describe('Where the person reads it.') });

/** Goes to the chat of the agent's task, or becomes a notice. */
export function reportProgress({ ledger, projectId, on: { sourceId }, source, by }: Asker): Tool {
  return {
    name: 'report_progress',
    title: 'Report progress',
    description: 'Tell the person how far you are. It needs no answer, and you need not wait.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    input: Progress,
    output: Told,
    async call(input) {
      const { message } = check(Progress, input, 'report_progress');
      const isTask = (await ledger.tasks.find(projectId, sourceId)) !== undefined;
      if (isTask) {
        await ledger.tasks.say(projectId, sourceId, message, by);
      } else {
        const questions = [{ id: 'progress', text: message }];
        await ledger.notifications.create({ projectId, source, sourceId, questions, notice: true }, by);
      }
      return { text: 'The person will see it.', structured: { shownIn: isTask ? 'chat' : 'notice' } };
    },
  };
}
