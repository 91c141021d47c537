import * as z from 'zod';
import { noAnswerText } from '../../agents/answer-text.ts';
import { askForm } from '../../agents/form.ts';
import { permissionQuestion } from '../../agents/permission-question.ts';
import { check } from '../../ledger/check.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Asker } from '../asker.ts';
import type { Tool, ToolCall, ToolResult } from '../tool.ts';
import { hold } from './hold.ts';

const Permission = z.object({
  tool_name: z.string(),
  input: z.record(z.string(), z.unknown()),
  tool_use_id: z.string().optional(),
});

/** For `claude --permission-prompt-tool mcp__fermata__permission`: also how its AskUserQuestion reaches a person in `-p`. */
export function permission(asker: Asker): Tool {
  return {
    name: 'permission',
    description:
      'Decides whether a tool may be used, and answers AskUserQuestion. Called by the agent program, not by the model.',
    inputSchema: z.toJSONSchema(Permission),
    async call(given, call) {
      const { tool_name, input, tool_use_id } = check(Permission, given, 'permission');
      if (tool_name === 'AskUserQuestion') return askUser(asker, call, input, tool_use_id);
      const questions = [permissionQuestion(tool_name, input)];
      return hold(asker, call, { source: 'approval', questions, toolCallId: tool_use_id }, (settled) => ({
        text: JSON.stringify(decision(settled, input)),
      }));
    },
  };
}

async function askUser(
  asker: Asker,
  call: ToolCall,
  input: Record<string, unknown>,
  toolUseId: string | undefined,
): Promise<ToolResult> {
  const form = askForm(input);
  if (typeof form === 'string') return { text: JSON.stringify({ behavior: 'deny', message: form }) };
  const behaviour = (settled: Notification) => {
    const reply = form.reply(settled);
    if ('allow' in reply) return { behavior: 'allow', updatedInput: reply.allow };
    return { behavior: 'deny', message: 'deny' in reply ? reply.deny : noAnswerText(settled) };
  };
  const wanted = { source: 'execute' as const, questions: form.questions, toolCallId: toolUseId };
  return hold(asker, call, wanted, (settled) => ({ text: JSON.stringify(behaviour(settled)) }));
}

function decision(settled: Notification, input: Record<string, unknown>): object {
  const [first] = settled.responses;
  if (first?.kind === 'answered' && first.answer === 'Approve')
    return { behavior: 'allow', updatedInput: input };
  const why = first?.kind === 'answered' ? first.note : settled.reason;
  return { behavior: 'deny', message: why ?? 'The person refused it.' };
}
