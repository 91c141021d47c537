import { numberOf, quantitiesIn } from './quantities.ts';

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
