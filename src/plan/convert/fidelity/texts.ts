import { hiddenLines, readMarkdown } from '../../../text/markdown.ts';

export type FactKind = 'agent' | 'technology' | 'command' | 'risk' | 'number' | 'path';

/** Something that a source says and a plan made from it must not lose. */
export interface Fact {
  text: string;
  line: number;
}

/** One kind of fact: how it is found in a source, and when a plan has it. */
export interface FactRule {
  kind: FactKind;
  find(lines: readonly SourceLine[]): Iterable<Fact>;
  isKept(text: string, plan: PlanText): boolean;
}

/** A line of a source, with its context. */
export interface SourceLine {
  /** Without web addresses. */
  text: string;
  line: number;
  /** The headings above it, outermost first. */
  headings: string[];
  /** `fence`: code, HTML or a comment; `heading`; else `prose`, tables included. */
  kind: 'prose' | 'fence' | 'heading';
}

/** Nobody writes longer lines, and finding facts in one takes quadratic time. */
const MAX_LENGTH = 1000;

/** What these sections say is not part of the work, or is in the past. */
const aside =
  /\b(?:out of scope|non-?goals?|not in scope|alternatives?|rejected|references?|links|further reading|change ?log|appendix|glossary)\b/i;

/** The lines of a source that say what is to be done. */
export function sourceLines(source: string): SourceLine[] {
  const document = readMarkdown(source);
  const { lines, blocks, frontMatter } = document;
  const fenced = new Set([...frontMatter, ...hiddenLines(document)]);
  const levels = new Map(blocks.flatMap((each) => (each.kind === 'heading' ? [[each.line, each]] : [])));
  const path: { level: number; text: string }[] = [];
  const found: SourceLine[] = [];
  lines.forEach((raw, index) => {
    const line = index + 1;
    const heading = levels.get(line);
    if (heading) {
      while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop();
      path.push(heading);
    }
    const headings = path.map(({ text }) => text);
    if (headings.some((text) => aside.test(text))) return;
    const kind = heading ? 'heading' : fenced.has(line) ? 'fence' : 'prose';
    found.push({ text: withoutAddresses(raw.slice(0, MAX_LENGTH)), line, headings, kind });
  });
  return found;
}

const withoutAddresses = (text: string) => text.replace(/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>()"'`]+/gi, ' ');

/** The text of a plan, prepared for look-ups. */
export interface PlanText {
  /** As `squeezed` makes it. */
  text: string;
  words: ReadonlySet<string>;
  numbers: ReadonlySet<number>;
  /** As `quantitiesIn` gives them. */
  quantities: ReadonlySet<string>;
  /** Which lines have a word, by its stem. */
  linesOf: ReadonlyMap<string, readonly number[]>;
}

export function planText(plan: string): PlanText {
  const linesOf = new Map<string, number[]>();
  plan.split('\n').forEach((line, index) => {
    for (const stem of new Set(stems(line))) {
      const lines = linesOf.get(stem);
      if (lines) lines.push(index);
      else linesOf.set(stem, [index]);
    }
  });
  const text = squeezed(plan);
  return {
    text,
    words: new Set(
      text.match(/[\p{L}\p{N}.@][\p{L}\p{N}.+#@-]*/gu)?.map((word) => word.replace(/(?<![.-])[.-]+$/, '')),
    ),
    numbers: new Set(
      Array.from(plan.matchAll(/\d[\d,_]*(?:\.\d+)?(?:[kKM]\b)?/g), ([digits]) => numberOf(digits)),
    ),
    quantities: new Set(quantitiesIn(plan)),
    linesOf,
  };
}

/** Lower case, single blanks, and one spelling of npm's equivalent commands. */
export function squeezed(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').replaceAll('npm run test', 'npm test').trim();
}

/** The stems of the significant words, so that `failing` and `fails` match. */
export function stems(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  return words.filter((word) => !common.has(word)).map((word) => word.slice(0, 5));
}

const common = new Set(
  `that this with from have will would could should into when where which while what they them then than there their
  some such also only very more most must might may been being does each because about after before over under risk risks
  high medium impact likelihood mitigation`.split(/\s+/),
);

/** The factor of each unit, relative to the smallest unit of its kind. */
const units: [kind: string, factor: number, names: string][] = [
  ['time', 1, 'ms millisecond milliseconds'],
  ['time', 1000, 's sec secs second seconds'],
  ['time', 60_000, 'min mins minute minutes'],
  ['time', 3_600_000, 'h hour hours'],
  ['time', 86_400_000, 'day days'],
  ['time', 604_800_000, 'week weeks'],
  ['size', 1, 'byte bytes'],
  ['size', 1e3, 'kb'],
  ['size', 1e6, 'mb'],
  ['size', 1e9, 'gb'],
  ['size', 1e12, 'tb'],
  ['size', 2 ** 10, 'kib'],
  ['size', 2 ** 20, 'mib'],
  ['size', 2 ** 30, 'gib'],
];
const byName = new Map(
  units.flatMap(([kind, factor, names]) => names.split(' ').map((name) => [name, { kind, factor }] as const)),
);
const words =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const quantity = new RegExp(
  `((?<![\\d,_])\\d[\\d,_]*(?:\\.\\d+)?|\\b(?:${words.join('|')}))[ -]?(${[...byName.keys()].join('|')})\\b`,
  'gi',
);

/** `10,000`, `10_000` and `10k` are one number. */
export function numberOf(digits: string): number {
  const factor = /k$/i.test(digits) ? 1e3 : /M$/.test(digits) ? 1e6 : 1;
  return Number(digits.replace(/[,_kKM]/g, '')) * factor;
}

export const wordFor = (value: number) => words[value];

/** The times and sizes in a text, whatever unit they are written in: `2 minutes` and `120s` are the same. */
export function quantitiesIn(text: string): string[] {
  return Array.from(text.matchAll(quantity), ([, amount = '', name = '']) => {
    const { kind, factor } = byName.get(name.toLowerCase()) ?? { kind: name, factor: 1 };
    const spelled = words.indexOf(amount.toLowerCase());
    return `${kind} ${(spelled >= 0 ? spelled : numberOf(amount)) * factor}`;
  });
}
