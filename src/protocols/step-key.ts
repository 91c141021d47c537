/** A key as an author writes it under `steps`: `7` replaces, `7+` appends, `7.1` is inserted after 7. */
export interface StepKey {
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
