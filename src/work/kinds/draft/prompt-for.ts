import { detectStack } from '../../../issues/repository/stack.ts';
import { assessVagueness, draftPrompt } from '../../../plan/draft.ts';
import type { OwnTemplates } from '../../../plan/templates/templates.ts';
import type { Context } from '../../context.ts';
import type { DraftWork } from './draft-run.ts';

/** The prompt of a draft. If the idea is vague, tells the person how to let the agent ask. */
export async function promptFor(
  { ledger, report }: Pick<Context, 'ledger' | 'report'>,
  projectId: string,
  data: DraftWork,
  cwd: string,
  own: OwnTemplates,
  isFirst: boolean,
): Promise<string> {
  const { agent } = data;
  const { idea, adaptive = false } = data.input;
  const vagueness = assessVagueness(idea);
  // The advice does not help with a program that cannot ask.
  if (vagueness.vague && !adaptive && agent.agent !== 'command' && isFirst) {
    const reasons = vagueness.reasons.join('; ');
    const text = `The idea is vague (${reasons}). With --adaptive the agent asks instead of assuming.`;
    report({ kind: 'notice', text });
  }
  const tool = agent.agent === 'codex' ? 'ask_human' : 'AskUserQuestion';
  const hilConfig = await ledger.projects.hilConfig(projectId);
  const decisions = await ledger.decisions.current(projectId);
  return draftPrompt({ idea, adaptive, tool, vagueness, stack: detectStack(cwd), hilConfig, decisions, own });
}
