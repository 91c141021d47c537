import type { Finding } from '../gap.ts';
import { allWords, contentAmount } from '../text/content.ts';
import { failure } from '../words/fault.ts';
import { everywhere } from '../words/phrases.ts';
import type { Case } from './case.ts';
import { type Worth, weigh } from './weigh.ts';

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
