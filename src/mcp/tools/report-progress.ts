import * as z from 'zod';
import { check } from '../../ledger/check.ts';
import type { Asker } from '../asker.ts';
import type { Tool } from '../tool.ts';

const Progress = z.object({
  message: z.string().min(1).describe('What is done and what comes next, in a sentence or two.'),
});

/** Told in the chat of the task that the agent works on, else as a notice. */
export function reportProgress({ ledger, projectId, on: { sourceId }, by }: Asker): Tool {
  return {
    name: 'report_progress',
    description: 'Tell the person how far you are. It needs no answer, and you need not wait.',
    inputSchema: z.toJSONSchema(Progress),
    async call(input) {
      const { message } = check(Progress, input, 'report_progress');
      if (await ledger.tasks.find(projectId, sourceId)) {
        await ledger.tasks.say(projectId, sourceId, message, by);
      } else {
        const questions = [{ id: 'progress', text: message }];
        await ledger.notifications.create(
          { projectId, source: 'execute', sourceId, questions, notice: true },
          by,
        );
      }
      return { text: 'The person is told.' };
    },
  };
}
