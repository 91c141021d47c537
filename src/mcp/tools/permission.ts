import * as z from 'zod';
import { noAnswerText } from '../../agents/questions/answer-text.ts';
import { askForm } from '../../agents/questions/forms.ts';
import { noteOf, permissionQuestion, REFUSED } from '../../agents/questions/permission-question.ts';
import { check } from '../../ledger/check.ts';
import { isApproved } from '../../schema/approval.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Asker } from '../asker.ts';
import type { Tool, ToolCall, ToolResult } from '../tool.ts';
import { hold } from './hold.ts';

const Permission = z.object({
  tool_name: z.string(),
  input: z.record(z.string(), z.unknown()),
  tool_use_id: z.string().optional(),
});

/**
 * For `claude --permission-prompt-tool mcp__fermata__permission`, which also brings its AskUserQuestion to a person in
 * `-p`. It has no output schema, because Claude Code reads the decision from the text.
 */
export function permission(asker: Asker): Tool {
  return {
    name: 'permission',
    title: 'Ask for permission',
    description:
      'Decides whether a tool may be used, and answers AskUserQuestion. Called by the agent program, not by the model.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: Permission,
    async call(given, call) {
      const { tool_name, input, tool_use_id } = check(Permission, given, 'permission');
      if (tool_name === 'AskUserQuestion') return askUser(asker, call, input, tool_use_id);
      return permit(asker, call, tool_name, input, tool_use_id);
    },
  };
}

async function permit(
  asker: Asker,
  call: ToolCall,
  tool: string,
  input: Record<string, unknown>,
  toolCallId: string | undefined,
): Promise<ToolResult> {
  try {
    const questions = [permissionQuestion({ tool, input })];
    return await hold(asker, call, { source: 'approval', questions, toolCallId }, (settled) => ({
      text: JSON.stringify(decision(settled, input)),
    }));
  } catch (error) {
    // Refuse what we cannot show to a person.
    if (!(error instanceof FermataError) || error.code !== 'invalid') throw error;
    return { text: JSON.stringify({ behavior: 'deny', message: error.message }) };
  }
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
  const wanted = { source: asker.source, questions: form.questions, toolCallId: toolUseId };
  return hold(asker, call, wanted, (settled) => ({ text: JSON.stringify(behaviour(settled)) }));
}

function decision(settled: Notification, input: Record<string, unknown>): object {
  const [first] = settled.responses;
  if (isApproved(first)) return { behavior: 'allow', updatedInput: input };
  return { behavior: 'deny', message: noteOf(settled) ?? REFUSED };
}
