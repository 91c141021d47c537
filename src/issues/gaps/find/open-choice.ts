import type { Evidence } from '../gap.ts';
import type { IssueText } from '../issue-text.ts';
import { allWords } from '../text/content.ts';
import type { Sentence } from '../text/sentences.ts';
import {
  choiceNotMade,
  technical,
  undecided,
  unnamedTechnology,
  weighing,
  whichTechnology,
} from '../words/open.ts';
import { phrases } from '../words/phrases.ts';
import { isTechnology, looksLikeName } from '../words/technology.ts';

/** A choice of technology that the text leaves open, with its alternatives. */
export interface OpenChoice {
  evidence: Evidence;
  /** As the text writes them. */
  alternatives: string[];
  /** True if the text asks for the choice or says that nobody has made it, false if it only names alternatives. */
  asked: boolean;
  /** True if the choice is about how the thing is built or stored, false if it is about what it does. */
  technical: boolean;
}

const decided = phrases`
  (?:was|were|is|are|been|have|has|i) (?:already )?(?:chosen|chose|selected|decided|settled|picked)
  we (?:chose|decided|settled|went with|picked|(?:will|'ll) (?:use|go with)|are (?:using|going with))
  let's (?:use|go with); decision: \p{L}; decided (?:on|to use); entschieden (?:für|uns); wir (?:nehmen|nutzen)
  on (?:prend|part sur|utilise); se decidió; usaremos; vamos usar; decidimos; решили (?:использовать|взять)
  决定(?:使用|采用|用); に決定; を採用; 하기로
`;
const skipped = new Set(['environment', 'alternatives', 'logs', 'reproduction', 'actual']);
const between = /^(?:or|vs\.?|versus|oder|ou|o|или|либо|o bien)$/i;

/** A word that may come between "or" and the name, as in "or through SendGrid". */
const small =
  /^(?:through|via|with|using|by|to|in|on|an?|the|just|plain|maybe|perhaps|über|mit|par|avec|con|por|com|через|на)$/i;

/** Checks title and text. A choice that is decided later in the text is not open. */
export function findOpenChoices(text: IssueText): OpenChoice[] {
  const texts = [text.body, ...text.comments];
  if (texts.some(({ sentences }) => sentences.some((sentence) => decided.test(sentence.text)))) return [];
  const title = choiceIn(text.titleText, true);
  const inTitle = title
    ? [
        {
          evidence: text.inTitle('open_choice', 0.9),
          alternatives: title,
          asked: whichTechnology.test(text.titleText),
          technical: true,
        },
      ]
    : [];
  const inBody = text.body.sentences.flatMap((sentence, index, all) => {
    const { text: words, at, piece } = sentence;
    if (skipped.has(piece.topic ?? '') || piece.kind === 'row') return [];
    const named = choiceIn(words, false);
    const plain = plainAlternatives(sentence, all[index + 1]);
    const alternatives = named ?? plain;
    if (!alternatives) return [];
    return [
      {
        evidence: text.body.evidence('open_choice', at, words.length, 0.9),
        alternatives,
        asked: plain !== undefined || whichTechnology.test(words),
        technical: named !== undefined || technical.test(words),
      },
    ];
  });
  return withAlternatives([...inTitle, ...inBody], text);
}

/** The alternatives of a sentence that leaves a choice open; undefined if it does not. */
function choiceIn(words: string, isTitle: boolean): string[] | undefined {
  const named = alternativesOf(words);
  if (whichTechnology.test(words) || (isTitle && unnamedTechnology.test(words))) return named;
  if (named.length < 2 || !(named.some(isProduct) || undecided.test(words))) return undefined;
  const open = weighing.test(words) || undecided.test(words) || /[?？][\s)\]"'）]*$/.test(words);
  return open || (isTitle && /\b(?:vs\.?|versus)(?!\w)/i.test(words)) ? named : undefined;
}

/** `A, B or C`, `A vs B`, `用A还是B`: the names on both sides. */
function alternativesOf(words: string): string[] {
  const unspaced =
    /([A-Za-z][\w.+#-]*)\s*(?:还是|還是|或者?|または|もしくは|か|혹은|아니면)、?\s*([A-Za-z][\w.+#-]*)/.exec(
      words,
    );
  if (unspaced?.[1] && unspaced[2]) return [unspaced[1], unspaced[2]];
  const tokens = words.replaceAll(',', ', ').split(/\s+|(?=\/)/);
  const found: string[] = [];
  tokens.forEach((token, index) => {
    const slash = token.startsWith('/') && token.length > 1;
    if (!slash && !between.test(token)) return;
    const before = listBefore(tokens, index);
    const next = between.test(token) && small.test(tokens[index + 1] ?? '') ? index + 2 : index + 1;
    const after = slash ? clean(token.slice(1)) : clean(tokens[next] ?? '');
    if (before.length > 0 && looksLikeName(after)) found.push(...before, after);
  });
  return [...new Set(found)].slice(0, 6);
}

/** Walks back over `A, B,` from the word "or". */
function listBefore(tokens: string[], index: number): string[] {
  const found: string[] = [];
  for (let at = index - 1; at >= 0 && found.length < 5; at -= 1) {
    const token = tokens[at] ?? '';
    if (found.length > 0 && !token.endsWith(',')) break;
    const name = clean(token);
    if (!looksLikeName(name)) break;
    found.unshift(name);
  }
  return found;
}

/** "JSON or YAML" is more often what a program can write than how it is built. */
const formats =
  /^(?:json|ya?ml|csv|tsv|xml|toml|html?|markdown|pdf|xlsx?|css|sql|http|websockets?|sse|bson|parquet|protobuf|avro)$/i;
const isProduct = (name: string) => isTechnology(name) && !formats.test(name);

const clean = (token: string) => token.replace(/^[("'`[]+|[)"'`\],.:;!?…]+$/g, '');

/** A question without alternatives gets those from a list after it ("Options: A, B, C"). */
function withAlternatives(choices: OpenChoice[], { body }: IssueText): OpenChoice[] {
  if (choices.every(({ alternatives }) => alternatives.length > 0)) return choices;
  const named = body.sentences.flatMap(({ text, piece }) => {
    const listed =
      /(?:options?|candidates?|alternatives?|possibilities|optionen|opciones|opções|варианты|候选|候補|选项)\s*(?:are|include|:|：)\s*(.{3,300})/iu.exec(
        text,
      )?.[1];
    if (listed)
      return listed
        .split(/,|;|、|\sor\s|\sand\s/)
        .map((name) => clean(name.trim().replace(/\s*\([^)]*\)/g, '')));
    return piece.kind === 'item' ? [clean(text.split(/[\s:(,–-]/)[0] ?? '')].filter(isTechnology) : [];
  });
  const list = [...new Set(named)].filter((name) => name.length > 1 && name.length < 40).slice(0, 6);
  return choices.map((choice) =>
    choice.alternatives.length > 0 ? choice : { ...choice, alternatives: list },
  );
}

/** "in a file or in the browser's storage": both sides of the word, up to the next punctuation. */
const sides =
  /([^,.;:?!()]{2,120}?),?\s(?:or|oder|ou|или)\s(?:else\s|rather\s|in\s|im\s|by\s|as\s|with\s)?([^,.;:?!()]{2,80})/iu;
const opening = /^.*(?<!\p{L})(?:either|whether|entweder|soit|либо|in|im|by|as|with)\s/iu;

/** The most words of a remark such as "We have not decided yet." after the sentence that names the choice. */
const REMARK = 8;

/**
 * The alternatives of a choice in plain words, without product names. They count only if the text says that nobody has
 * chosen, in the sentence or in a short one after it, because "or" alone is in every second sentence.
 */
function plainAlternatives(sentence: Sentence, next: Sentence | undefined): string[] | undefined {
  const remark = next?.piece === sentence.piece && allWords(next.text) <= REMARK ? next.text : '';
  if (!choiceNotMade.test(sentence.text) && !choiceNotMade.test(remark)) return undefined;
  const [, before, after] = sides.exec(sentence.text) ?? [];
  if (before === undefined || after === undefined) return undefined;
  return [before.replace(opening, ''), after].map((side) => side.trim());
}
