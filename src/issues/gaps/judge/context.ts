import type { Stack } from '../../repository/stack.ts';
import type { OpenChoice } from '../find/open-choice.ts';
import type { Evidence, Finding } from '../gap.ts';
import { allWords, contentAmount } from '../text/content.ts';
import { failure } from '../words/fault.ts';
import { everywhere } from '../words/phrases.ts';
import type { Case } from './case.ts';
import { type Worth, weigh } from './case.ts';
import { bounds, clarity } from './criteria.ts';

const telling: Worth = {
  description: [1],
  error: [0.5],
  trigger: [0.5],
  steps: [0.5],
  reproduction: [0.5],
  stack_trace: [1],
  location: [0.3],
  picture: [0.3],
  code: [0.3],
  story: [0.5],
  checklist: [0.5],
  target: [0.5],
};

const everyFailure = everywhere(failure);
const anyProgram =
  /(?<!\p{L})(?:app|apps|application|programm?e?|software|tool|plugin|site|website|code|bugs?|request|items?|things?|anwendung|logiciel|aplicaci[oó]n|aplicativo|programa|приложение|программа)(?!\p{L})/giu;

/** How many words name the subject: "app crashes" has none, "sync hangs" one. */
function subject(words: string): number {
  return contentAmount(words.replace(everyFailure, ' ').replace(anyProgram, ' '));
}

/** A gap only if nobody can tell what it is about: just a bare title, or words that refer elsewhere. */
export function judgeContext(the: Case): Finding[] {
  const { evidence, bare, text, kind, choices } = the;
  const choicesInTitle = choices.some((choice) => choice.evidence.in === 'title');
  const told = weigh(evidence, telling);
  const elsewhere = evidence.filter((each) => each.kind === 'elsewhere');
  if (elsewhere[0] && told < 0.7)
    return [
      {
        type: 'context',
        cause: 'said_elsewhere',
        uncertainty: 0.8,
        evidence: elsewhere,
        quote: elsewhere[0].text,
      },
    ];
  const endless = evidence.some((each) => each.kind === 'unbounded' && each.in !== 'comment');
  // The question about the choice or the bounds covers this too.
  if (choicesInTitle || (endless && kind !== 'bug')) return [];
  const body = text.body.sentences.map((sentence) => sentence.text).join(' ');
  const named = subject(text.titleText) > (bare && allWords(text.titleText) < 2 ? 1 : 0);
  if (named || (!bare && (told >= 0.2 || subject(body) > 1))) return [];
  return [
    {
      type: 'context',
      cause: 'no_problem',
      uncertainty: 1 - told,
      evidence: [text.inTitle('title_only', 0.6)],
    },
  ];
}

/** Other work that the text hints at. A link on the same line names it. */
export function judgeDependencies({ evidence, kind }: Case): Finding[] {
  const named = evidence.filter((each) => each.kind === 'linked_issue');
  const hints = evidence.filter(
    (each) => each.kind === 'other_work' && !named.some((link) => isBeside(link, each)),
  );
  const [first] = hints;
  if (!first || kind === 'question' || kind === 'bug') return [];
  return [
    {
      type: 'dependencies',
      cause: 'other_work',
      uncertainty: 0.8,
      evidence: hints.slice(0, 5),
      quote: first.text,
    },
  ];
}

function isBeside(link: Evidence, hint: Evidence): boolean {
  return link.in === hint.in && Math.abs(link.line - hint.line) <= 1;
}

/** Not mentioning technology is normal: only an open choice is a gap, and the manifests may close it. */
export function judgeStack({ choices, stack, kind }: Case): Finding[] {
  // In a bug report, alternatives say where the bug happens, unless somebody has to choose.
  const loose = kind !== 'question' && kind !== 'bug';
  const open = choices.filter(
    (choice) => choice.technical && (choice.asked || loose) && !decidedBy(stack, choice),
  );
  const best = open.find(({ alternatives }) => alternatives.length > 0) ?? open[0];
  if (!best) return [];
  return [
    {
      type: 'tech_stack',
      cause: 'open_choice',
      uncertainty: 0.9,
      evidence: open.slice(0, 5).map(({ evidence }) => evidence),
      quote: best.evidence.text,
      alternatives: best.alternatives,
    },
  ];
}

/** The repository already uses exactly one of the alternatives, or shows what was asked for. */
function decidedBy(stack: Stack | undefined, { evidence, alternatives }: OpenChoice): boolean {
  if (!stack) return false;
  const used = [...stack.languages, ...stack.frameworks, ...stack.testRunners].map((name) =>
    name.toLowerCase(),
  );
  if (alternatives.length > 0)
    return alternatives.filter((name) => used.includes(name.toLowerCase())).length === 1;
  if (/\btest(?:ing)? (?:framework|runner|library|tool)/i.test(evidence.text))
    return stack.testRunners.length > 0;
  if (/\b(?:programming )?language\b/i.test(evidence.text)) return stack.languages.length > 0;
  return /\b(?:web |ui |frontend |backend )?framework\b/i.test(evidence.text) && stack.frameworks.length > 0;
}

/** An open choice about the scope, or unbounded wording. */
export function judgeScope(the: Case): Finding[] {
  return [...openChoice(the), ...endless(the)].slice(0, 1);
}

function openChoice({ choices, kind }: Case): Finding[] {
  const open = choices.filter((choice) => !choice.technical).map(({ evidence }) => evidence);
  const [first] = open;
  if (!first || kind === 'bug' || kind === 'question') return [];
  return [
    {
      type: 'scope',
      cause: 'open_question',
      uncertainty: 0.9,
      evidence: open.slice(0, 5),
      quote: first.text,
    },
  ];
}

/** Unbounded wording counts if the rest of the text sets no bounds. A short text is not a gap. */
function endless(the: Case): Finding[] {
  const vague = [
    ...epic(the),
    ...the.evidence.filter(({ kind }) => kind === 'unbounded' || kind === 'universal'),
  ];
  const [first] = vague;
  if (!first || the.kind === 'question') return [];
  const doubt = weigh(vague, { unbounded: [1], universal: [0.6] });
  const clear = clarity(the);
  const bounded = weigh(the.evidence, bounds);
  const inTitle = vague.some((each) => each.in === 'title');
  const limit = (the.kind === 'bug' ? 0.6 : 0.9) + (inTitle ? 0.3 : 0);
  const enough = inTitle ? 0.6 : clear < 0.4 ? 0.7 : 1;
  if (doubt < enough || clear + bounded >= limit) return [];
  return [
    {
      type: 'scope',
      cause: 'unbounded',
      uncertainty: Math.min(1, doubt / (1 + clear)),
      evidence: vague.slice(0, 5),
      quote: first.text,
    },
  ];
}

const umbrella = /(?<![a-z])(?:epic|umbrella|meta issue)(?![a-z])/i;

/** An epic is as large as the list of its parts, which `bounds` looks for. */
function epic({ text }: Case): Evidence[] {
  const named = [text.title, ...text.issue.labels].some((words) => umbrella.test(words));
  return named ? [text.inTitle('universal', 1), text.inTitle('unbounded', 0.5)] : [];
}
