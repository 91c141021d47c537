import { words } from './words.ts';

/** What a form inserts if nobody wrote anything, or what people write if they have nothing to say. */
const nothing =
  /^[\s_*~()[\]{}<>.…\-–—:;,!?/\\|#+=0]*(?:no response|n\/?a|none|null|nothing|not applicable|unknown|idk|same|no|tba|x{2,})?[\s_*~()[\]{}<>.…\-–—:;,!?/\\|#+=]*$/i;

/** A blank to fill in: `As a xxxx`, `between versions ____`, `I need ...`. */
const toFillIn = /_{3,}|\bx{2,}\b\??|\?{3,}|^.{0,24}(?<![.\d])(?:\.{3}|…)\s*$/i;

const ofTheReport =
  '(?:your|you|here|below|above|details?|information|steps|screenshots?|logs?|versions?|the (?:bug|problem|issue|feature|following)|this (?:bug|issue|feature|section)|existing issues|template)';

/** Sentences of a template for the person who fills it in. */
const instruction = words`
  a clear and concise description; if applicable,? add; ex\. i'm always frustrated; steps to reproduce the behaviou?r
  add (?:any|screenshots?|a screenshot|other|more).{0,60}(?:here|below|problem|context|request|applicable)
  (?:please|kindly),? (?:describe|provide|add|include|fill|tell|explain|give|paste|attach|list|enter|complete|specify|check|search|read|make sure|write|leave|use labels).{0,60} ${ofTheReport}
  (?:describe|explain|tell us|provide|paste|include|list|enter|fill in|write|give|attach|share|indicate).{0,60} ${ofTheReport}
  say clearly; one paragraph explanation; why are we doing this\?; what use cases does it support; replace this; delete this
  your (?:text|answer|description|report is); lorem ipsum; this applies only to; here you describe; is your feature request related; does the feature request
  (?:what|which|why|where) (?:did|do|would|were|are|version|steps|is the expected).{0,60} (?:you|reproduce|expected|output).{0,80}\?
  playground link with; it (?:is a crash|changed between)
`;

const sample = [
  /^(?:go to|open|click on|press|scroll (?:down )?to)\s['"‘“]?\.{2,}/i,
  /^see (?:the )?error\.?$/i,
  /^[\p{L} /-]{0,40}:?\s*[[(]?(?:e\.g\.|eg\b|ex:|for example)[^\])]{0,80}[\])]\.?$/iu,
  /^(?:ac|step|item|(?:sub-?)?task|criteri(?:on|a)|requirement|todo|example|first item|second item)\s*#?\d*\s*(?:[:.]|\.{2,}|…)?$/i,
  /^(?:as an? (?:\[[^\]]*\]|<[^>]*>)|i (?:need|want)[\s/want]*|so that(?: i can)?|given|when|then)[\s,.…]*$/i,
  /^[[(<{](?:your|fill|insert|enter|optional|describe)\b[^\])>}]{0,120}[\])>}]$/i,
];

/** Whether this text says nothing: an empty field, or the template's own words. */
export function isPlaceholder(text: string): boolean {
  const plain = text
    .trim()
    .replace(/^(?:\d{1,2}[.)]\s)?[*_]{0,3}|[*_]{1,3}$/g, '')
    .trim();
  if (plain.length > 400) return false;
  if (nothing.test(plain.slice(0, 200)) || toFillIn.test(plain)) return true;
  // Templates explain themselves in italics.
  if (/^([_*])[^_*]{20,400}\1$/.test(text.trim())) return true;
  return sample.some((pattern) => pattern.test(plain)) || (instruction.exec(plain)?.index ?? 99) <= 4;
}

/** What a template says about the code that it wants. */
export function isOnlyComments(code: string): boolean {
  return code.split('\n').every((line) => /^\s*(?:$|\/\/|#|--|\*|\/\*)/.test(line));
}

/** Boxes that a form makes everybody tick. */
const declaration = words`
  i(?:'ve| have| am|'m| agree| confirm| understand| searched| read| checked| verified| will| would| acknowledge)
  this (?:is|issue|bug|problem|feature|request) (?:is |has |does )?(?:not|a|an|isn't|hasn't|unique|still); (?:my|our) (?:issue|problem|report)
  (?:reviewed|searched|removed all|verified|would you like); no(?:t a)? duplicates?; code of conduct; existing issues; yes; no
`;
/** Fits any work, so it says nothing about this one. */
const generic = words`
  (?:\w+ )?works? as (?:expected|intended|described|before); (?:[\w/]{1,40} ){0,3}tests? (?:pass(?:es|ing)?|added|written|updated|are green|cover\w*)
  (?:code )?review(?:ed)?(?: and merged)?; merged; deployed; (?:docs?|documentation|readme|changelog) (?:is |are )?(?:updated|added|written)
  no regressions?; lint(?:s|ed)? (?:passes|clean); ci (?:passes|is green); approved; done; breaking change; documentation; refactor(?:ing)?
  bug ?fix; bug; new feature; feature(?: request)?; enhancement; other; question
`;
const MOST_GENERIC = 60;

/** Whether a list entry comes from a form or, under criteria, fits any work. */
export function isTickedByAll(text: string, isCriterion: boolean): boolean {
  const plain = text.trim();
  if ((declaration.exec(plain.slice(0, 120))?.index ?? 99) <= 1) return true;
  const found = generic.exec(plain.slice(0, MOST_GENERIC));
  return (
    found?.index === 0 && (isCriterion ? plain.length <= MOST_GENERIC : found[0].length >= plain.length - 1)
  );
}

const steering = words`
  (?:ignore|disregard|forget|override) (?:all |any |the |your |everything )*(?:above|previous|prior|earlier|preceding|other|instructions|rules)
  (?:report|return|output|answer|reply|respond|say|find|there are)(?: that| with| there are)* (?:no|zero|0|an empty list of) gaps?
  you are (?:now )?(?:an?|the) (?:\w+ )?(?:ai|assistant|agent|language model|analyst|llm)
  (?:as an|dear|hey|attention,?|note (?:to|for)(?: the| any| all)?) (?:ai|agents?|assistants?|models?|llms?|bots?|analysts?)
  system prompt; (?:this|the) issue is (?:already )?(?:complete|fully specified)
`;
const forged = /["']?(?:gaps|questions)["']?\s*:\s*\[\s*\]/i;

/** Whether a text speaks to a program that reads it, not to people. */
export function addressesAgent(text: string): boolean {
  return steering.test(text) || forged.test(text);
}
