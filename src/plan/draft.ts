import { autonomyPart } from '../agents/roles/prompt-parts.ts';
import { describeStack, type Stack } from '../issues/repository/stack.ts';
import type { HilConfig } from '../schema/autonomy.ts';
import { counted } from '../schema/counted.ts';
import type { Decision } from '../schema/decision.ts';
import type { Notification } from '../schema/notification.ts';
import { oneLine } from '../text/lines.ts';
import type { FileBlock } from './file-blocks.ts';
import { MASTER } from './grammar/parse-plan.ts';
import { fillTemplate, type OwnTemplates } from './templates/templates.ts';

interface DraftRequest {
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
      return `- ${short(question)} → ${short(said)}${note ? ` (${short(note)})` : ''}`;
    });
  return lines.length === 0 ? 'Nothing.' : lines.join('\n');
}

const short = (text: string) => oneLine(text).slice(0, 500);

/** How unclear a request is, and why. */
interface Vagueness {
  vague: boolean;
  /** 0 is clear, 1 is as vague as it gets. */
  score: number;
  reasons: string[];
}

const indefinite = 'something anything somehow someway stuff things thingy whatever etc various some-kind';
const uncertain = 'maybe perhaps possibly probably basically kinda sorta roughly ideally';
const unbounded = 'better nicer improve improved everything all properly good great modern simple fast';
const words = (list: string) => new Set(list.split(' '));
const lists = [
  { words: words(indefinite), weight: 0.2, what: 'indefinite' },
  { words: words(uncertain), weight: 0.15, what: 'uncertain' },
  { words: words(unbounded), weight: 0.1, what: 'not measurable' },
];

/** Signs of a clear request: names, numbers, paths, code, quoted text. */
const specific = [
  /\b\w[\w-]{0,99}\.[a-z]{1,4}\b|(?:^|\s)\.{0,2}\/[\w./-]+/i, // a file or a path
  /`[^`]+`|"[^"]+"|'[^']{3,}'/, // code or quoted text
  /\b\d+(?:\.\d+)?\s?(?:%|ms|s|kb|mb|gb|rows?|users?|items?|px)?\b/i, // a number
  /\b[A-Z]{2,}[a-z]?\b|\b[a-z]+[A-Z]\w+\b|\b\w+_\w+\b|\b[A-Z][a-z]+[A-Z]\w*\b/, // REST, camelCase, snake_case, GraphQL
];

const missing = [
  {
    part: 'where it belongs (a component, page, file or interface)',
    sign: /\b(?:in|into|on|to|at|inside|within|for) (?:the|a|an|our|my|this|each|every)\b|\b(?:api|endpoint|page|screen|command|cli|module|service|library|table|database|app|server|client|component|form|button|function|class|test|tests)\b/i,
  },
  {
    part: 'why it is wanted, or for whom',
    sign: /\b(?:because|since|so that|in order to|so (?:we|users|people|i)|needs? to|for (?:users|customers|people|us|admins?|developers?|teams?)|as an? \w+|otherwise|currently|today)\b/i,
  },
];

/** A longer request has said what is wanted before this point. */
const MAX_LENGTH = 10_000;

/** Judges a request by whole words: what is vague in it, and whether it says what, where and why. */
export function assessVagueness(text: string): Vagueness {
  const request = text.slice(0, MAX_LENGTH);
  const found = request.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? [];
  const reasons: string[] = [];
  let score = 0;
  const add = (points: number, reason?: string) => {
    score += points;
    if (reason) reasons.push(reason);
  };
  if (found.length < 5) add(0.55, `very short: ${counted(found.length, 'word')}`);
  else if (found.length < 12) add(0.2, `short: ${found.length} words`);
  for (const list of lists) {
    for (const word of new Set(found))
      if (list.words.has(word)) add(list.weight, `"${word}" is ${list.what}`);
  }
  if (found.length < 12 && /\?\s*$/.test(request)) add(0.2, 'a short question, not a request');
  for (const { part, sign } of missing) if (!sign.test(request)) add(0.1, `does not say ${part}`);
  const signs = specific.filter((sign) => sign.test(request)).length;
  add(-0.2 * signs);
  score = Math.min(1, Math.max(0, Math.round(score * 100) / 100));
  return { vague: score >= 0.5, score, reasons };
}

/** Lists in the master what the agent asked although it was told not to ask. */
export function withAssumed(files: FileBlock[], assumed: readonly Notification[]): FileBlock[] {
  const section = assumptions(assumed);
  return files.map((file) =>
    file.name === MASTER && section !== ''
      ? { ...file, content: `${file.content.trimEnd()}\n${section}` }
      : file,
  );
}

function assumptions(assumed: readonly Notification[]): string {
  const lines = assumed.flatMap(({ id, questions, responses }) =>
    questions.map((question) => {
      const response = responses.find(({ questionId }) => questionId === question.id);
      const isDecided = response?.kind === 'answered' && response.by.actor.name === 'decision';
      const how = isDecided
        ? `answered with an earlier decision: ${oneLine(String(response.answer))}`
        : 'answered with "assume"';
      return `- ${oneLine(question.text)} (asked by the agent, ${how}; ${id})`;
    }),
  );
  return lines.length === 0 ? '' : `\n## Questions that were not put to a person\n\n${lines.join('\n')}\n`;
}
