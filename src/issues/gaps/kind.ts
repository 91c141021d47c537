import { fails, vagueWords } from './find.ts';
import type { IssueKind } from './gap.ts';
import type { IssueText } from './read-issue.ts';
import { words } from './words.ts';

/** The words of a label or of a tag such as `[BUG]`; the first that match decide. */
const marks: [IssueKind, RegExp][] = [
  ['docs', /\b(?:docs?|documentation|readme)\b/i],
  ['bug', /\b(?:bug|fix|defect|crash|regression|hotfix)\b|🐛/i],
  [
    'feature',
    /\b(?:feat(?:ure)?|enhancement|improvement|proposal|rfc|story|epic|idea|suggestion|api proposal)\b|💡/i,
  ],
  ['chore', /\b(?:chore|refactor(?:ing)?|build|ci|tests?|task|maintenance|dependencies|cleanup|style)\b/i],
  ['question', /^\W*(?:question|help|support|discussion)\W*$/i],
];

const wishWords = words`
  add(?:ing|s)?; support(?:ing)?; allow(?:s|ing)?; enable; implement(?:ing)?; introduce; provide; create; build; (?:option|ability|way|possibility) (?:to|for); able to; feature request; make it possible; as an? \w+,? i; show; store; keep; make; use; save; let; send; remember; report
  (?:would|could|might|it'd) (?:be|like|love) (?:\w+ )?(?:nice|great|cool|useful|helpful|good|awesome|handy|to); i(?:'d| would) (?:like|love); please (?:add|support|allow|implement|provide|make|consider); enhance; integrate; consider; choose; pick; decide; filter; should have
`;
const choreWords = words`bump; upgrade; rename; remove; update; migrate; move; release; publish; deprecate; delete; tidy; drop; pin`;
const docsWords = words`readme; docs?; documentation; typos?; changelog; guide; tutorial; docstrings?; config\.example`;
const questionWords = words`how (?:do|can|to|should) i?; why; is it possible; can i; what is; where (?:is|can|do); am i`;

/** Labels and tags first, then structure, then the wording of the title and of the first sentences. */
export function kindOf({ issue, tag, title, body }: IssueText): IssueKind {
  const marked = [...issue.labels, tag].flatMap(
    (mark) => marks.find(([, pattern]) => pattern.test(mark))?.[0] ?? [],
  );
  const certain = order.find((kind) => marked.includes(kind));
  if (certain) return certain;
  const topics = new Set(body.sections.map(({ topic }) => topic));
  const begins = (pattern: RegExp) => (pattern.exec(title)?.index ?? 9) <= 2;
  if (topics.has('reproduction') || (topics.has('expected') && topics.has('actual') && fails(title)))
    return 'bug';
  if (docsWords.test(title) && !fails(title)) return 'docs';
  const asks = /\?\s*$/.test(title);
  if (begins(questionWords) && !wishWords.test(title)) return 'question';
  if (begins(choreWords)) return 'chore';
  const wanted = wishWords.test(title) || vagueWords.test(title);
  const isOrder = begins(wishWords) && !/^\w+ (?:fails|does|is|has|hangs|crashes)\b/i.test(title);
  if (fails(title) && (!isOrder || asks)) return wanted && begins(vagueWords) ? 'feature' : 'bug';
  if (wanted) return 'feature';
  const opening = body.sentences
    .slice(0, 3)
    .filter(({ topic }) => topic !== 'expected' && topic !== 'criteria');
  if (body.code.some(({ text }) => /^\s+at \S.*\d|Traceback|panicked at/m.test(text))) return 'bug';
  const reports = opening.some(({ text }) => fails(text) && !wishWords.test(text) && !/\?\s*$/.test(text));
  return reports && !asks ? 'bug' : 'feature';
}

const order: IssueKind[] = ['docs', 'bug', 'feature', 'chore', 'question'];
