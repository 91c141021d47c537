import { GapType } from '../../schema/qa.ts';
import { gapLabels, type IssueKind } from './gap.ts';
import { isOnlyComments } from './placeholder.ts';
import {
  CODE,
  counts,
  type Found,
  found,
  type IssueText,
  isClarified,
  MAX_FOUND,
  type Place,
  type ReadText,
  type Sentence,
} from './read-issue.ts';
import { technologyIn } from './technology.ts';
import { words } from './words.ts';

/** How each rule of the table finds what it is about. Openers look at the title and the body, closers at comments as well. */

type Find = (text: IssueText, kind: IssueKind) => Found;

const nothing = found([]);

/** Where sentences match: enough of them to judge by. */
function placesOf(
  texts: ReadText[],
  pattern: RegExp,
  which: (sentence: Sentence) => boolean = counts,
): Place[] {
  const places: Place[] = [];
  for (const { sentences } of texts)
    for (const sentence of sentences) {
      const match = which(sentence) ? pattern.exec(sentence.text) : null;
      if (match && places.push(sentence.place(match.index)) === MAX_FOUND) return places;
    }
  return places;
}

const inTitle = (pattern: RegExp, { title, titlePlace }: IssueText) =>
  pattern.test(title) ? [titlePlace] : [];

/** In the title or, with its share of the points for each place, in the body. */
const opens =
  (pattern: RegExp, share = 1): Find =>
  (text) => {
    const title = inTitle(pattern, text);
    const places = placesOf([text.body], pattern, (each) => counts(each) && each.topic !== 'actual');
    return found([...title, ...places], title.length + places.length * share);
  };

const everywhere = (pattern: RegExp) => new RegExp(pattern.source, 'gi');

// Words

const common = new Set(
  `about above after again against also although always and another any are because been before being below between both but
  can cannot could currently did does doing done down during each either even every for from further get had has have having
  here how however into its itself just like likely made make makes many maybe more most much must need needs never not now
  only other otherwise our out over perhaps please possible possibly quite rather really same shall she should since some
  something such sure than thank thanks that the their them then there these they thing things this those though through too
  under until upon use used uses using very want wants was way well were what when where whether which while who why will
  with within without work works would yet you your yours hello everyone error errors fix fixed check look looks working
  anymore today getting trying tried nice great good awesome cool love useful helpful better easy simple simply able feature
  request support issue project user users people version latest time lot bit kind someone anyone anything everything stuff
  team guys all add new via etc see let may one`.split(/\s+/),
);
const word = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{3}|\p{L}[\p{L}\p{N}'’-]{2,30}/gu;

/** The words that say something, shortened so that "integrated" and "integration" are the same. */
export function contentWords(text: string): Set<string> {
  const all = [...text.toLowerCase().matchAll(word)]
    .map(([each]) => each)
    .filter((each) => !common.has(each));
  return new Set(all.map((each) => (each.length > 6 ? each.slice(0, 5) : each.replace(/s$/, ''))));
}

const amount = (text: string) => contentWords(text).size;

/** How many words of a text are not in the title. */
function beyond(title: string, text: string): number {
  const known = contentWords(title);
  return [...contentWords(text)].filter((each) => !known.has(each)).length;
}

const ENOUGH_TOLD = 40;
const HARDLY = 6;
const A_WORD_OR_TWO = 2;

const wordsBeyond = ({ title, all }: IssueText) =>
  beyond(title, all.flatMap(({ sentences }) => sentences.filter(counts).map(({ text }) => text)).join('\n'));

export const told: Find = (text) =>
  found(
    text.body.sentences.slice(0, 1).map((each) => each.place()),
    (wordsBeyond(text) - HARDLY) / ENOUGH_TOLD,
  );

export const thin: Find = (text) => {
  const { code, images, tables } = text.body;
  const hasMore = code.some(isCode) || images.length + tables.length > 0;
  const said = wordsBeyond(text);
  return hasMore || said >= HARDLY ? nothing : found([text.titlePlace], said > A_WORD_OR_TWO ? 0.8 : 1);
};

const SHORT_TITLE = 3;
const LONG_TITLE = 8;

export const longTitle: Find = ({ title, titlePlace }) =>
  found([titlePlace], (amount(title) - SHORT_TITLE) / (LONG_TITLE - SHORT_TITLE));

const anyProgram = words`
  apps?; application; software; tool; plugin; (?:web)?sites?; code; bugs?; requests?; items?; updates?; global; overall; general
  minor; page; system; stuff; debt; technical; tech; crash\w*; broken; fails?; failing; failed; problems?; random(?:ly)?; tests?; epic
`;

/** "App crashes" and "Improve performance" name nothing; "sync hangs" does. */
export const noSubject: Find = ({ title, titlePlace }) => {
  const empty = [anyProgram, vagueVerbs, speed];
  const rest = empty.reduce((left, pattern) => left.replace(everywhere(pattern), ' '), title);
  // "Improve the search" says what to improve; "Statistics" alone does not say what to do.
  return amount(rest) <= (vagueWords.test(title) ? 0 : 1) ? found([titlePlace]) : nothing;
};

// What makes an issue clear

const isCode = ({ text, topic }: ReadText['code'][number]) =>
  topic !== 'environment' && !isOnlyComments(text);

export const code: Find = ({ all }) => {
  const blocks = all.flatMap(({ code, tables }) => [
    ...code.filter(isCode).map(({ place }) => place),
    ...tables,
  ]);
  const inline = placesOf(all, new RegExp(`${CODE}{4,}`));
  return found([...blocks, ...inline], blocks.length + inline.length * 0.35);
};

const checkWords = words`
  (?:existing|all|unit|integration|regression|e2e|end-to-end|acceptance|automated|new|these|our) (?:\w+ )?tests?
  tests? (?:for|that|must|should|cover\w*|pass(?:es)?|stay|remain|have to|will|are|case)
  (?:verify|verified|check|checked|tested|validated) (?:that|by|with|in|on|manually)
`;

/** Under a heading, or as boxes to tick. */
export const criteria: Find = ({ all }, kind) => {
  const stated = placesOf(all, /\S/, ({ topic }) => topic === 'criteria' || topic === 'checks');
  const boxes =
    kind === 'bug' ? [] : placesOf(all, /\S/, (each) => each.box && counts(each) && amount(each.text) >= 2);
  return found([...stated, ...boxes], stated.length + boxes.length / 2);
};

export const check: Find = ({ all }, kind) => (kind === 'bug' ? nothing : found(placesOf(all, checkWords)));

/** Answers that were written back into the issue (`## Clarifications (via … Q&A)`) close their gaps. */
export function clarified({ sections }: ReadText): GapType[] {
  const start = sections.findIndex(isClarified);
  if (start < 0) return [];
  const after = sections.slice(start + 1);
  const stop = after.findIndex(({ level }) => level <= (sections[start]?.level ?? 1));
  const answered = (stop < 0 ? after : after.slice(0, stop)).filter(({ filled }) => filled);
  return GapType.options.filter((type) => {
    const [label = ''] = gapLabels[type].split(' (');
    return answered.some(({ heading }) => heading.trim().startsWith(label));
  });
}

const modal =
  '(?:should|must|shall|needs? to|has to|have to|ought to|will|would|can|is|are|gets?|returns?|shows?|prints?|runs?)';
const condition =
  '(?:when(?:ever)?|if|once|after|before|while|unless|until|as soon as|(?:each|every) time|by default|instead of)';
const demand = words`(?:should|must|shall|needs? to|has to|have to|ought to|by default|never|always|only) .{10,300}`;
const behaviourWords = words`${condition} .{3,200} ${modal}; ${modal} .{3,200} ${condition}; as an? .{2,80},? i (?:want|need)`;
const changeWords = words`
  (?:bump|upgrade|downgrade|move|switch|convert|rename|replace|change|split|extract|swap) .{1,80} (?:to|from|with|into|by|so that)
  instead of; rather than; in place of; so that it reads; (?:mention|link|say) .{1,60} in the (?:readme|docs?|documentation)
`;
/** A title that says all of it. */
const orderWords = words`
  (?:remove|drop|delete|deprecate|pin|disable|stop using|get rid of|revert|hide|port|merge) [\w\ue000'".-]{3,}
  typos?; (?:new|next) release
`;
/** "It would be nice if it were better" says too little to be a condition. */
const MIN_BEHAVIOUR = 5;

export const behaviour: Find = (text, kind) => {
  const inTheTitle = vagueWords.test(text.title)
    ? []
    : [...inTitle(changeWords, text), ...inTitle(orderWords, text)];
  const changes = [...inTheTitle, ...placesOf(text.all, changeWords)];
  const says = ({ text: each }: Sentence) => amount(each) >= MIN_BEHAVIOUR && !vagueWords.test(each);
  const [conditions = [], demands = []] = [behaviourWords, demand].map((pattern) =>
    kind === 'bug' ? [] : placesOf(text.all, pattern, (each) => counts(each) && says(each)),
  );
  return found(
    [...changes, ...conditions, ...demands],
    changes.length + (conditions.length + demands.length) * 0.4,
  );
};

const measure =
  /(?<![\w.#-])(?:[<>≤≥~]=?\s?)?\d[\d.,]*\s?(?:%|ms|µs|s|secs?|seconds?|min(?:ute)?s?|hours?|h|days?|[kmgt]i?b|fps|px|rows?|items?|records?|requests?|rps|users?|files?|lines?|char(?:acter)?s?|bytes?|times|retries|attempts|x)(?!\w)|(?:at (?:most|least)|(?:no more|less|more) than|up to|within|under|below|above|after|every|exactly|max) \d/i;
const targets = words`
  (?:at most|at least|(?:less|no more) than|below|under|within|down to|up to|reduce\w* .{1,60} to|from .{1,30} to|p9\d|has to be|(?:maximum|ttl|limit|timeout) of) ?[^#]{0,20}\d[\d.,]*\w*
  (?:targets?|budgets?|max|default)(?:: | )[^#]{0,10}\d[\d.,]*\w*; [<≤] ?\d+\w*; \d+ ?x faster; twice
`;

/** What has to be reached. */
export const target: Find = (text) => found([...inTitle(targets, text), ...placesOf(text.all, targets)]);

const names =
  /(?<![\w/])[\w.-]{1,60}(?:\/[\w.-]{1,60}){1,10}\.\w{1,5}|(?<![\w.])[\w-]{2,60}\.(?:[cm]?[jt]sx?|py|rs|go|rb|java|kt|cs|cpp|h|php|vue|s?css|html|ya?ml|json|toml|md|sh|sql|example)(?!\w)|["“«][^"”»\n]{2,60}["”»]/i;
const examples = words`for (?:example|instance); e\.g\.?; such as; like this; similar to; same (?:as|way); as in`;
const sourceLink = /\/(?:blob|tree|commit)\/|#L\d+|\/src\//;

export const detail: Find = (text) => {
  const links = text.all.flatMap((each) => each.links.filter(({ url }) => sourceLink.test(url)));
  const places = [measure, names, examples].flatMap((pattern) => [
    ...inTitle(pattern, text),
    ...placesOf(text.all, pattern),
  ]);
  const all = [...places, ...links.map(({ place }) => place)];
  return found(all, all.length * 0.5);
};

// What makes a bug clear

/** "Error handling" is a topic; "improve the error messages" asks for better wording: neither reports a failure. */
const notFailures =
  /\berrors?[ -](?:handling|reporting|tracking|boundar(?:y|ies)|messages?|pages?|codes?|states?|texts?)/gi;
const failureWords = words`
  (?:does|do|did|is|are|was|has|have|can|could|will|would)(?: not|n't)(?: \w+){1,3}; cannot; can't; crash\w*; fail(?:s|ed|ing|ures?)?
  errors?; exceptions?; broken; breaks?; hangs?; hung; freez\w+; frozen; stuck; wrong(?:ly)?; incorrect(?:ly)?; missing; lost; loses
  disappear\w*; not (?:work\w*|possible|visible|displayed|shown|found|saved|available); no longer; never; nothing happens; empty
  blank; duplicate[ds]?; leaks?; slow(?:s|ly|ness)?; flaky; unable to; unexpected(?:ly)?; invalid; panics?; regression; timeouts?
  times out; bugs?; overlap\w*; misaligned; ignore[sd]?; \w*(?:Error|Exception); doesnt; dont; isnt; wont; cant; throws?; segfaults?
`;
export const fails = (text: string) =>
  failureWords.test(text.replace(notFailures, ' ')) ||
  /\berrors?(?: messages?)? (?:when|while|on|after)\b/i.test(text);

const triggerWords = words`
  when(?:ever)?; (?:every|each) time; if; while; upon; trying to; tried to; as soon as; after \w+ing; by \w+ing; without; always
  (?:using|running|clicking|calling|opening|creating|saving|pressing|selecting|rendering|loading|editing); in (?:\w+ )?view
  on (?:start\w*|click\w*|save|load|windows|linux|mac\w*|android|ios|safari|firefox|chrome|mobile); for (?:empty|large|long|all)
  with (?:an?|the|no|zero|two|empty|several|long|\d+|\ue000+)
`;
/** Everybody's program "stopped working after the last update". */
const emptyTrigger = words`
  (?:after|since|with) (?:an? |the |this |your )?(?:most )?(?:last |latest |new |recent )?(?:\w+ ){0,2}?(?:updates?|upgrade|version)
  during normal use; for some reason
`;
/** "`{{a}}` returns …": an input and what it gives. "The "Save" button": pressing it shows the bug. */
const gives = new RegExp(
  `${CODE}\\s(?:\\w{2,12}\\s){0,2}(?:returns?|gives?|throws?|prints?|renders?)\\b|["“][^"”\\n]{1,40}["”] (?:button|link|menu|tab|field|dialog)`,
  'i',
);

export const trigger: Find = (text, kind) => {
  const says = (each: string) => {
    const rest = each.replace(everywhere(emptyTrigger), ' ');
    return gives.test(rest) || (triggerWords.test(rest) && amount(rest) >= 3);
  };
  const title = says(text.title) ? [text.titlePlace] : [];
  const told = placesOf(text.all, /\S/, (each) => counts(each) && says(each.text));
  return kind === 'bug' ? found([...title, ...told]) : nothing;
};

const errorText =
  /\b[A-Z]\w{2,60}(?:Error|Exception|Fault|Warning)\b|\b(?:error|exception)\s?(?:message|code)?\s?[:=]\s?\S.{5,}|\b(?:error|exception|message|warning|fails with)[^"“\n]{0,40}["“][^"”\n]{5,}|\b[45]\d\d (?:error|internal|not found|bad|forbidden)|\bE(?:NOENT|ACCES|CONN\w+|PIPE|PERM|EXIST)\b|\bSIG(?:SEGV|ABRT|KILL)\b/i;
const stackTrace =
  /^\s+at \S.*[:(]\d+|Traceback|^\s*File ".*", line \d|panicked at|Exception in thread|^\s*(?:error|fatal)\b.*:/im;
const stepWords = words`to reproduce; reproducible; (?:every|each) time; always; open .{3,60} and (?:press|click|move|type|select|then)`;
const attached =
  /codesandbox|stackblitz|jsfiddle|codepen|repl\.it|gist\.github|\/files\/\d+\/|\.(?:zip|log|txt|gif|mp4)(?:\?|$)|youtu\.?be/i;

/** What another person can do again, search for or look at. */
export const reproduction: Find = (text, kind) => {
  if (kind !== 'bug') return found(text.all.flatMap(({ images }) => images));
  const isClear = (each: Sentence) =>
    amount(each.text) >= 2 && !emptyTrigger.test(each.text) && !unsteadyWords.test(each.text);
  const steps = placesOf(
    text.all,
    /\S/,
    (each) => isClear(each) && (each.topic === 'reproduction' || stepWords.test(each.text)),
  );
  const numbered = placesOf(text.all, /\S/, (each) => each.item && counts(each) && amount(each.text) > 0);
  const blocks = text.all.flatMap(({ code }) =>
    code
      .filter((each) => each.topic === 'reproduction' || stackTrace.test(each.text))
      .map(({ place }) => place),
  );
  const files = text.all.flatMap(({ links }) =>
    links.filter(({ url }) => attached.test(url)).map(({ place }) => place),
  );
  const errors = [...inTitle(errorText, text), ...placesOf(text.all, errorText)];
  const images = text.all.flatMap((each) => each.images);
  return found([
    ...steps,
    ...(numbered.length > 1 ? numbered : []),
    ...blocks,
    ...errors,
    ...files,
    ...images,
  ]);
};

// What leaves an issue open

const unsteadyWords = words`
  sometimes; randomly; at random; intermittent(?:ly)?; occasionally; now and then; from time to time; not always; sporadic(?:ally)?
  (?:don't|do not|not sure|no idea) (?:\w+ ){0,2}(?:how|what|why|when)(?: \w+){0,3} (?:reproduc\w*|trigger\w*|caus\w*|happen\w*|this is)
  (?:can't|cannot|couldn't|unable to|hard to|difficult to|problem to) (?:\w+ )?reproduce; for some (?:users|people|of); during normal use
`;
const sometimes = opens(unsteadyWords);

export const unsteady: Find = (text, kind) => (kind === 'bug' ? sometimes(text, kind) : nothing);

const vagueVerb =
  '(?:improv(?:e|es|ing|ements?)|enhanc(?:e|ing|ements?)|optimi[sz](?:e|es|ing|ations?)|clean(?:ing)?[- ]?up|refactor(?:s|ing|ings)?|refine|polish|moderni[sz]\\w+|overhaul|revamp|rework\\w*|restructure|reorgani[sz]\\w+|redesign|simplify|tidy(?:ing)?(?: up)?|tweaks?|revisit|harden|streamline|boost)';
const vagueVerbs = words`${vagueVerb}`;
export const vagueWords = words`
  ${vagueVerb}; (?:make|making|be|become|get|is|looks?) (?:\w+ ){0,4}?(?:better|fast|faster|nicer|cleaner|easier|simpler|smoother|prettier)
  (?:more|less) (?:robust|user[- ]friendly|intuitive|efficient|readable|maintainable|secure|stable|modern|flexible|consistent|responsive|performant|accessible|scalable|reliable|professional|appealing)
  seamless(?:ly)?; without seams; smooth(?:er|ly)?; user[- ]friendly; tech(?:nical)?[- ]debt; legacy code; better \w+; as expected
`;
const speed = words`performance; speed; latency; fast(?:er)?; slow(?:er|ness)?; quick(?:er|ly)?; load(?:ing)? times?; memory usage; optimi[sz]\w+`;
const universalWords = words`
  everything; everywhere; all (?:the |our |of the )?(?:\w+ )?(?:code|pages?|tests?|docs|places|things|files|screens?|issues|bugs|components?)
  the (?:whole|entire) (?:\w+ )?(?:code|codebase|app|application|project|site|website|system|ui|documentation|library); general; overall
  global; various; some (?:small |minor )?(?:\w+\/)?(?:stuff|things|improvements?|fixes|changes|cleanup|parts|bugs|issues)
  several (?:places|things|issues); a (?:lot|bunch|number) of; and so on; and more; misc(?:ellaneous)?; as much as possible
  where(?:ver)? possible; the rest; etc\.?; look further
`;
const vaguely = opens(new RegExp(`${vagueWords.source}|${universalWords.source}`, 'i'), 0.3);

export const vague: Find = (text, kind) =>
  speed.test(text.title) ? found([text.titlePlace]) : vaguely(text, kind);

/** The text says itself that it is not ready to be built. */
export const undecided = opens(words`
  placeholder; bucket; rfc; next steps; tb[da]; to be (?:decided|determined|discussed|confirmed|narrowed|clarified)(?: further)?; spike
  (?:up|open) (?:for|to) (?:discussion|debate|suggestions); narrow (?:its|the|this) scope; update this (?:epic|issue|ticket)
  (?:any|what) (?:ideas|thoughts|suggestions|opinions); would like to hear .{0,20}; what do (?:you|people|others) think; comment if
  thoughts\?; should (?:discuss|think again|consider); not exactly sure; look(?:ing)? (?:for|at) (?:possible )?ways; brainstorm\w*
`);

export const noTarget: Find = (text, kind) => {
  const isSpeed = speed.test(text.title) && kind !== 'bug' && target(text, kind).amount === 0;
  return isSpeed ? found([text.titlePlace]) : nothing;
};

const integrationWords = words`
  integrat(?:e|es|ion|ions|ing) (?:\w+ ){0,6}?(?:with|into|to|of|hooks?|for); third-party; 3rd party; migrat(?:e|ion) (?:db|database|to)
  new (?:\w+ )?(?:api|system|backend|frontend|architecture|ui|design|website|dashboard); set ?up (?:\w+ )?(?:infrastructure|architecture)
`;
export const integration: Find = (text) => found(inTitle(integrationWords, text));

const wanted = ['reproduction', 'expected', 'actual', 'criteria', 'solution', 'problem', 'checks'];

/** At least half of the fields that say what is wrong or wanted are empty, or there are as many blanks as sentences. */
export const unfilled: Find = ({ body }) => {
  const { sections, sentences } = body;
  const isLeaf = (level: number, index: number) => (sections[index + 1]?.level ?? 0) <= level;
  const fields = sections.filter(
    ({ topic = '', level }, index) => wanted.includes(topic) && isLeaf(level, index),
  );
  const empty = fields.filter(({ filled }) => !filled).map(({ place }) => place);
  if (empty.length >= 2 && empty.length >= fields.length / 2) return found(empty);
  const blanks = body.blanks.filter(({ text }) => text !== '');
  return blanks.length >= 2 && blanks.length >= sentences.filter(counts).length ? found(blanks) : nothing;
};

const questionWords = words`
  (?:should|shall) (?:we|it|this|they|the|there|that|users?|old|new|an?|\w+s) .{3,200}\?; (?:do|would) we .{3,200}\?; \w+ or \w+\?
  (?:what|how|where|when|which) (?:should|shall|do we|would we|happens|will) .{3,200}\?; still (?:open|undecided)
  not sure (?:if|whether|how|what|which|where) (?:we|this|that|it|to|the); (?:unsure|undecided|unclear) (?:if|whether|how|what|about|which)
  (?:(?:have|has)(?:n't| not)|not)(?: yet)?(?: been)? decided; (?:need|have|has) to (?:decide|agree|clarify)
  either .{3,120} or; or (?:perhaps|maybe|alternatively); (?:perhaps|maybe) .{3,150} (?:perhaps|maybe|or); or something (?:else|similar)
  (?:simplest|another|other|one) (?:idea|option|way|approach)(?: i have| would be| is| could); leaning (?:to|towards)
`;
const politeWords = words`
  (?:can|could|would|will) you; is (?:it|there) (?:possible|a way|any); any (?:plans?|chance|news|updates?); would it be possible
  am i; how (?:can|do|to|could) i; (?:does|can) (?:anyone|anybody|someone)
`;

/** "We have not decided yet" says nothing without what is before it. */
const MIN_REMARK = 3;

/** What the text itself leaves open about what to build. Research consists of questions, and a bug report asks for help. */
export const openQuestion: Find = ({ body }, kind) => {
  const isOpen = (each: Sentence) =>
    (questionWords.test(each.text) || each.topic === 'questions') &&
    amount(each.text) >= (/\?\s*$/.test(each.text) ? 1 : MIN_REMARK) &&
    !politeWords.test(each.text) &&
    !technologyIn(each.text);
  return kind === 'bug' || kind === 'question'
    ? nothing
    : found(placesOf([body], /\S/, (each) => counts(each) && isOpen(each)));
};

const otherThing =
  '(?:refactor\\w*|re-?writ(?:e|ing)|migration|redesign|rework|overhaul|upgrade|new (?:\\w+ )?(?:apis?|endpoints?|version|system|design|schema|service|model|module|database|backend|ui)|team|prs?|pull requests?|(?:next|major|upstream) releases?|upstream|approval|other (?:issues?|tickets?|tasks?|work))';
const otherWords = words`
  (?:once|until|as soon as|pending|before we can|wait(?:ing|s)? (?:for|on|until)) (?:the |an? |our |that |this )?(?:\w+[ -]){0,3}?${otherThing}
  (?:needs?|requires?|depends? on|builds? on) (?:the |an? |our |some )?(?:new|upcoming|planned|ongoing|other|another|next) (?:\w+[ -]){0,2}?(?:apis?|endpoints?|${otherThing})
  (?:once|after|until|as soon as) [\w -]{2,60} (?:is|are|has been|have been|gets?) (?:merged|landed|released|deployed|finished|done|ready|available|in place|implemented)
  after (?:the |our )?(?:\w+[ -]){0,2}?(?:refactor\w*|rewrite|redesign|rework|overhaul); blocked (?:by|on|until); (?:currently|is|still) blocked
  can(?:not|'t) (?:start|begin|be (?:done|started|merged)|proceed) (?:until|before|without|yet); (?:the|an)other team
  depend(?:s|ent|ing)? on (?:the |an? |another |other |some |our )(?:\w+ ){0,4}?(?:work|issue|ticket|task|change|team|pr|release|project|story)
`;
const issueLink = /(?<![\w&/#])(?:[\w.-]{1,80}\/[\w.-]{1,80})?#\d{1,7}(?![\w-])|(?<![\w-])gh-\d{1,7}(?!\w)/i;
const colour = /(?:colou?r|background|hex)\W{0,12}#\d+/i;
const issueUrl = /\/(?:issues|pull|pulls|merge_requests)\/\d{1,7}(?!\w)/;

/** Other work that the text hints at. A link in the same or the next line names it. */
export const otherWork: Find = ({ title, body }, kind) => {
  if (kind === 'bug' || kind === 'question') return nothing;
  const links = [
    ...placesOf([body], issueLink, ({ text }) => !colour.test(text)),
    ...body.links.filter(({ url }) => issueUrl.test(url)).map(({ place }) => place),
  ];
  const isOther = ({ text }: Sentence) => {
    const hint = fails(text.replace(/\bblocked\b/gi, '')) ? null : otherWords.exec(text);
    // "Show which tasks are blocked by others" is about blocking.
    return hint !== null && (beyond(title, hint[0]) > 0 || amount(hint[0]) === 0);
  };
  const hints = placesOf([body], otherWords, (each) => counts(each) && isOther(each));
  return found(hints.filter(({ line }) => !links.some((other) => Math.abs(other.line - line) <= 1)));
};
