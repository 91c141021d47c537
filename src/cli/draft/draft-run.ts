import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeadHolder } from '../../agents/lease.ts';
import { draftPrompt } from '../../planning/draft/prompt.ts';
import { assessVagueness } from '../../planning/draft/vagueness.ts';
import { slug } from '../../planning/plan-folder.ts';
import { detectStack } from '../../planning/repository/stack.ts';
import { FermataError } from '../../schema/error.ts';
import type { Run } from '../../schema/run.ts';
import type { AgentOptions } from '../agents/choose.ts';
import { tell } from '../output.ts';
import type { Session } from '../session.ts';

/** What a draft keeps in the ledger, so that any process can go on with it. */
export interface DraftData {
  command: 'draft';
  idea: string;
  adaptive: boolean;
  output: string;
  agent: AgentOptions;
}

export function newDraft(
  session: Session,
  idea: string | undefined,
  options: AgentOptions & { adaptive?: true; output?: string },
): DraftData {
  const text = readIdea(idea);
  const { agent, agentCommand, model } = options;
  return {
    command: 'draft',
    idea: text,
    adaptive: options.adaptive ?? false,
    output: resolve(options.output ?? join(session.settings.project.value.root, 'plans', slug(text))),
    agent: { agent, ...(agentCommand ? { agentCommand } : {}), ...(model ? { model } : {}) },
  };
}

export const draftData = (run: Run) => run.data as unknown as DraftData;

/** The draft to go on with: the one that was named, else the newest that is not done, or whose plan is not written. */
export async function findDraft(session: Session, projectId: string, wanted: string | true): Promise<Run> {
  if (typeof wanted === 'string') return session.ledger.runs.get(projectId, wanted);
  const { runs } = session.ledger;
  const isDraft = (run: Run) => run.data.command === 'draft';
  const open = (await runs.abandoned(projectId, isDeadHolder)).findLast(isDraft);
  const run = open ?? (await runs.list(projectId)).find((each) => isDraft(each) && isUnwritten(each));
  if (run) return run;
  throw new FermataError(
    'not_found',
    'There is no draft to go on with here. Start one with: fermata draft IDEA',
  );
}

/** The agent has finished, but we died before its plan was on disk. */
export function isUnwritten(run: Run): boolean {
  return run.status === 'ended' && run.end?.reason === 'ok' && !existsSync(draftData(run).output);
}

export function promptOf(data: DraftData, cwd: string): string {
  const vagueness = assessVagueness(data.idea);
  if (vagueness.vague && !data.adaptive) {
    tell(
      `The idea is vague (${vagueness.reasons.join('; ')}). With --adaptive the agent asks instead of assuming.`,
    );
  }
  const tool = data.agent.agent === 'codex' ? 'ask_human' : 'AskUserQuestion';
  return draftPrompt({ idea: data.idea, adaptive: data.adaptive, tool, vagueness, stack: detectStack(cwd) });
}

function readIdea(idea: string | undefined): string {
  if (idea === undefined || idea.trim() === '') {
    throw new FermataError('invalid', 'What is the idea? Give it as a text, a file, or - for stdin.');
  }
  const isFile = idea.length < 500 && !idea.includes('\0') && existsSync(idea);
  const text = idea === '-' ? readFileSync(0, 'utf8') : isFile ? readFileSync(idea, 'utf8') : idea;
  if (text.trim() === '') throw new FermataError('invalid', `${idea} is empty. Write down the idea first.`);
  if (text.length > 500_000) {
    throw new FermataError('invalid', `The idea has ${text.length} characters; at most 500000 are allowed.`);
  }
  return text;
}
