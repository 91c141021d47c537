import type { Issue } from '../../audit/issue.ts';
import { agents } from './agents.ts';
import { commands } from './commands.ts';
import type { Fact, FactKind, FactRule } from './fact.ts';
import { numbers } from './numbers.ts';
import { paths } from './paths.ts';
import { planText } from './plan-text.ts';
import { risks } from './risks.ts';
import { sourceLines } from './source-lines.ts';
import { technologies } from './technologies.ts';

/** A fact of the source that the plan does not have. */
export interface Lost extends Fact {
  kind: FactKind;
}

const rules: readonly FactRule[] = [agents, technologies, commands, risks, numbers, paths];

/** The limit for each kind: a source with more facts is not a plan, and each fact is searched for in the whole plan. */
const MAX = 1000;

/** What a source says and the plan made from it does not, each once, in source order. */
export function findLost(source: string, plan: string): Lost[] {
  const lines = sourceLines(source);
  const there = planText(plan);
  const lost = rules.flatMap(({ kind, find, isKept }) => {
    const seen = new Map<string, Lost>();
    for (const { text, line } of find(lines)) {
      if (seen.size === MAX) break;
      const key = text.toLowerCase();
      if (!seen.has(key)) seen.set(key, { kind, text, line });
    }
    return [...seen.values()].filter(({ text }) => !isKept(text, there));
  });
  return lost.sort((a, b) => a.line - b.line);
}

const called: Record<FactKind, string> = {
  agent: 'the agent',
  technology: 'the technology',
  command: 'the command',
  risk: 'the risk',
  number: 'the number',
  path: 'the path',
};

/** As an issue for the next attempt. */
export function lostIssue({ kind, text, line }: Lost, source: string): Issue {
  return {
    severity: 'error',
    code: `LOST_${kind.toUpperCase()}`,
    message: `Missing from the plan: ${called[kind]} "${text}" from the source.`,
    file: source,
    line,
    column: 1,
    suggestion: 'Add it to the plan where it belongs.',
  };
}
