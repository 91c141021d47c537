import { autonomyPart } from '../../agents/roles/prompt-parts.ts';
import { describeStack, type Stack } from '../../issues/repository/stack.ts';
import type { HilConfig } from '../../schema/autonomy.ts';
import type { Decision } from '../../schema/decision.ts';
import { fillTemplate } from '../templates/fill-template.ts';
import type { OwnTemplates } from '../templates/own-templates.ts';
import type { Vagueness } from './vagueness.ts';

export interface DraftRequest {
  idea: string;
  adaptive: boolean;
  /** The tool with which this agent asks. */
  tool: string;
  vagueness: Vagueness;
  stack: Stack;
  hilConfig: HilConfig;
  decisions: readonly Decision[];
  /** The project's own templates. */
  own: OwnTemplates;
}

const task = `You turn a request into a plan of phases that coding agents can carry out one after the other.

# The request

{idea}

# What is known

- The repository: {repository}.
- The request is {vagueness}.

# What a person decided before

{decisions}
`;

/** One template for both modes; only the part about questions differs. How to ask and to answer is always included. */
export function draftPrompt(request: DraftRequest): string {
  const { idea, adaptive, tool, vagueness, stack, hilConfig, decisions, own } = request;
  const reasons = vagueness.reasons.length > 0 ? `: ${vagueness.reasons.join('; ')}` : '';
  const filled = fillTemplate(own.prompt?.text ?? task, {
    idea: idea.trim(),
    repository: describeStack(stack),
    vagueness: `${vagueness.vague ? 'vague' : 'fairly clear'} (${vagueness.score})${reasons}`,
    decisions: decisionLines(decisions),
  });
  return `${filled.trimEnd()}

# Questions

${adaptive ? askWhatMatters(tool) : assume}

${autonomyPart(hilConfig, adaptive)}

# The answer

Look at the repository if that helps. Then answer with the plan's files and nothing else, each like this:

---FILE: MASTER_PLAN.md---
…
---END FILE---

MASTER_PLAN.md has a title (\`# NAME - Master Plan\`), an overview, a section \`## Assumptions\` that lists everything you had to assume, and a section \`## Phases\` with a table of the columns Phase, Title (a link to the phase's file), Focus, Risk, Status (Pending).
Each phase has a file phase-N.md: \`# Phase N: TITLE\`, \`**Status:** Pending\`, \`**Depends On:**\` (ids, or N/A), \`## Process Wrapper\` (read the notes of the phases it depends on, implement, run the gates, write notes to \`notes/NOTES_phase_N.md\`), \`## Gates\` (\`- name: command\` for commands that fail when the phase is not done), \`## Tasks\` (\`- [ ]\` items), \`## Acceptance Criteria\` (\`- AC-1: …\`).
${ownForms(own)}`;
}

const assume =
  'Do not ask questions. Use what a person decided before. If something is unclear, make the most reasonable assumption and list it under Assumptions.';

const askWhatMatters = (tool: string) =>
  `Use the tool ${tool} only for critical decisions that the repository does not answer and that would be expensive to get wrong. Do not ask about anything a person already decided. Ask few questions, give options with the pros and cons of each, and name the one you recommend. Assume the rest, and list it under Assumptions.`;

function ownForms({ master, phase }: OwnTemplates): string {
  const forms = [
    ...(master ? [`The project's template for MASTER_PLAN.md:\n\n${master.text.trim()}`] : []),
    ...(phase ? [`The project's template for each phase file:\n\n${phase.text.trim()}`] : []),
  ];
  return forms.length === 0 ? '' : `\n${forms.join('\n\n')}\n\nFill in every placeholder in braces.\n`;
}

/** More would crowd out the request. */
const MAX = 100;

/** The decisions, one per line, as a part of a prompt. Approvals and gates concern one moment and decide nothing later. */
function decisionLines(decisions: readonly Decision[]): string {
  const lines = decisions
    .filter(({ source }) => source !== 'approval' && source !== 'gate')
    .slice(0, MAX)
    .map(({ question, answer, note }) => {
      const said = Array.isArray(answer) ? answer.join(', ') : answer;
      return `- ${oneLine(question)} → ${oneLine(said)}${note ? ` (${oneLine(note)})` : ''}`;
    });
  return lines.length === 0 ? 'Nothing.' : lines.join('\n');
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 500);
