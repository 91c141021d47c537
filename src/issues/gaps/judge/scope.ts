import type { Evidence } from '../evidence.ts';
import type { Finding } from '../gap.ts';
import type { Case } from './case.ts';
import { bounds, clarity } from './criteria.ts';
import { weigh } from './weigh.ts';

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
