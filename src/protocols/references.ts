import { readStepKey } from './step-key.ts';

/** A mention of another step in a text: "step 7", "steps 2, 3 and 6.1". */
export interface Reference {
  key: string;
  /** The position of its number in the text. */
  start: number;
  end: number;
}

const NUMBER = String.raw`\d+(?:\.\d+)*`;
const BETWEEN = String.raw`\s{0,9}(?:,\s{0,9}(?:and|or)?|and|or|to|through|until|&|/|-|\u2013)\s{0,9}`;
/** A whole word: neither `--step 2` nor `first_step 2`; 2a, 2x and 2% are not steps. */
const MENTION = new RegExp(
  String.raw`(?<![\w$./\\-])(?:(step)|steps)(\s{1,80}#?[\x60*]{0,3})(${NUMBER}(?:${BETWEEN}${NUMBER})*)(?![\w%]|\.\d)`,
  'gi',
);

export function findReferences(text: string): Reference[] {
  if (!/step/i.test(text)) return [];
  return [...text.matchAll(MENTION)].flatMap((mention) => {
    const [whole, singular, , numbers = ''] = mention;
    const start = mention.index + whole.length - numbers.length;
    // "repeat step 2, 3 times" names one step; "step 2-4" two.
    const named = singular ? (/^[\d.\u2013-]+/.exec(numbers)?.[0] ?? '') : numbers;
    const found = [...named.matchAll(new RegExp(NUMBER, 'g'))];
    return found.flatMap((number) => {
      const read = readStepKey(number[0]);
      if ('fault' in read) return [];
      const at = start + number.index;
      return [{ key: read.key, start: at, end: at + number[0].length }];
    });
  });
}

/** The text with the printed number of each step that it mentions; everything else stays. */
export function renumber(text: string, numberOf: (key: string) => number | undefined): string {
  let result = '';
  let done = 0;
  for (const { key, start, end } of findReferences(text)) {
    const number = numberOf(key);
    if (number === undefined) continue;
    result += text.slice(done, start) + number;
    done = end;
  }
  return result + text.slice(done);
}
