/** A mention of another step in a text: "step 7", "steps 2, 3 and 6.1". */
interface Reference {
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

/** A key as an author writes it under `steps`: `7` replaces, `7+` appends, `7.1` is inserted after 7. */
interface StepKey {
  /** Without leading zeros: 2.05 is 2.5. */
  key: string;
  append: boolean;
}

const SHAPE = /^(\d+(?:\.\d+)*)\s*(\+?)$/;
const MAX_LENGTH = 100;

/** Reads a key, or says why it is not one. */
export function readStepKey(written: string): StepKey | { fault: string } {
  const [, numbers, plus] = SHAPE.exec(written.trim()) ?? [];
  if (numbers === undefined || written.length > MAX_LENGTH) {
    return {
      fault: 'is not a step number. Write 7 (replaces), 7+ (appends to) or 7.1 (is inserted after 7).',
    };
  }
  const [first = '', ...rest] = numbers.split('.').map(withoutLeadingZeros);
  if (rest.includes('0')) return { fault: 'is not a step number, because numbers after a point start at 1.' };
  return { key: [first, ...rest].join('.'), append: plus === '+' };
}

/** The step after which this one is inserted; undefined for a whole number, and for 0.1, which comes before all others. */
export function parentOf(key: string): string | undefined {
  const point = key.lastIndexOf('.');
  const parent = point < 0 ? undefined : key.slice(0, point);
  return parent === '0' ? undefined : parent;
}

/** 2 before 2.1 before 2.1.1 before 2.2 before 2.10 before 3. */
export function compareKeys(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = compareNumbers(left[i] ?? '', right[i] ?? '');
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Digits of any length, without leading zeros. */
function compareNumbers(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a === b ? 0 : a < b ? -1 : 1;
}

const withoutLeadingZeros = (digits: string) => digits.replace(/^0+(?=\d)/, '');
