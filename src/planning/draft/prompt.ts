import { autonomyPart } from '../../agents/roles/prompt-parts.ts';
import type { HilConfig } from '../../schema/autonomy.ts';
import { describeStack, type Stack } from '../repository/stack.ts';
import type { Vagueness } from './vagueness.ts';

export interface DraftRequest {
  idea: string;
  adaptive: boolean;
  /** The tool with which this agent asks. */
  tool: string;
  vagueness: Vagueness;
  stack: Stack;
  hilConfig: HilConfig;
}

/** One template for both modes; only the part about questions differs. */
export function draftPrompt({ idea, adaptive, tool, vagueness, stack, hilConfig }: DraftRequest): string {
  return `You turn a request into a plan of phases that coding agents can carry out one after the other.

# The request

${idea.trim()}

# What is known

- The repository: ${describeStack(stack)}.
- The request is ${vagueness.vague ? 'vague' : 'fairly clear'} (${vagueness.score})${vagueness.reasons.length > 0 ? `: ${vagueness.reasons.join('; ')}` : ''}.

# Questions

${adaptive ? askWhatMatters(tool) : assume}

${autonomyPart(hilConfig)}

# The answer

Look at the repository where that helps. Then answer with the plan's files and nothing else, each like this:

---FILE: MASTER_PLAN.md---
…
---END FILE---

MASTER_PLAN.md has a title (\`# NAME - Master Plan\`), an overview, a section \`## Assumptions\` that lists everything you had to assume, and a section \`## Phases\` with a table of the columns Phase, Title (a link to the phase's file), Focus, Risk, Status (Pending).
Each phase has a file phase-N.md: \`# Phase N: TITLE\`, \`**Status:** Pending\`, \`**Depends On:**\` (ids, or N/A), \`## Process Wrapper\` (read the notes of the phases it depends on, implement, run the gates, write notes to \`notes/NOTES_phase_N.md\`), \`## Gates\` (\`- name: command\` for commands that fail when the phase is not done), \`## Tasks\` (\`- [ ]\` items), \`## Acceptance Criteria\` (\`- AC-1: …\`).
`;
}

const assume =
  'Do not ask questions. Where something is open, make the most reasonable assumption, and list it under Assumptions.';

const askWhatMatters = (tool: string) =>
  `Use the tool ${tool} for what is critical and cannot be found out in the repository: what a wrong guess would make expensive. Ask few questions, give options with what speaks for and against each, and name the one you recommend. Assume the rest, and list it under Assumptions.`;
