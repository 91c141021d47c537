import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeProtocol } from '../../src/protocols/merge.ts';
import type { Declaration, StepDeclaration } from '../../src/protocols/protocol.ts';
import {
  compareKeys,
  findReferences,
  parentOf,
  readStepKey,
  renumber,
} from '../../src/protocols/references.ts';
import { anyCodePoint } from '../support/any-text.ts';

const whole = fc.nat({ max: 12 }).map(String);
const sub = fc.integer({ min: 1, max: 12 }).map(String);
const key = fc
  .tuple(whole, fc.array(sub, { maxLength: 3 }))
  .map(([first, rest]) => [first, ...rest].join('.'));

describe('the order of keys (PROT-3)', () => {
  test('is total: antisymmetric, transitive, and equal only for equal keys', () => {
    fc.assert(
      fc.property(key, key, key, (a, b, c) => {
        expect(Math.sign(compareKeys(a, b))).toBe(-Math.sign(compareKeys(b, a)) + 0);
        expect(compareKeys(a, b) === 0).toBe(a === b);
        if (compareKeys(a, b) < 0 && compareKeys(b, c) < 0) expect(compareKeys(a, c)).toBeLessThan(0);
      }),
    );
  });

  test('puts a step after its parent and before the parent that follows', () => {
    fc.assert(
      fc.property(key, sub, (parent, number) => {
        const child = `${parent}.${number}`;
        const [head = '', ...rest] = parent.split('.').reverse();
        const following = [...rest.reverse(), String(Number(head) + 1)].join('.');
        expect(compareKeys(parent, child)).toBeLessThan(0);
        expect(compareKeys(child, following)).toBeLessThan(0);
        expect(parentOf(child)).toBe(parent === '0' ? undefined : parent);
      }),
    );
  });

  test('recognizes a key in every spelling', () => {
    fc.assert(
      fc.property(key, fc.nat({ max: 3 }), fc.boolean(), (wanted, zeros, append) => {
        const written = wanted.replace(/\d+/g, (digits) => '0'.repeat(zeros) + digits);
        expect(readStepKey(` ${written}${append ? ' +' : ''} `)).toEqual({ key: wanted, append });
      }),
    );
  });
});

describe('merging (PROT-3, PROT-6)', () => {
  const bodies = fc.constantFrom('a', 'b', 'go to step 1', 'see steps 2 and 3.1');
  const declared = fc.record({ key, append: fc.boolean(), text: bodies });
  const chains = fc.array(fc.uniqueArray(declared, { selector: (step) => `${step.key}${step.append}` }), {
    minLength: 1,
    maxLength: 4,
  });

  test('follows the rules, whatever the order in which steps are written', () => {
    fc.assert(
      fc.property(chains, fc.integer(), (files, seed) => {
        const shuffled = files.map((steps, index) => shuffle(steps, seed + index));
        const { protocol, problems } = mergeProtocol(chainOf(files));
        expect(mergeProtocol(chainOf(shuffled)).protocol).toEqual(protocol);
        if (problems.every(({ severity }) => severity === 'warning'))
          expect(texts(protocol.steps)).toEqual(byHand(files));
      }),
    );
  });

  test('numbers from 1 without a gap, and each reference leads to the right step', () => {
    fc.assert(
      fc.property(chains, (files) => {
        const { steps } = mergeProtocol(chainOf(files)).protocol;
        expect(steps.map(({ number }) => number)).toEqual(steps.map((_, index) => index + 1));
        const numbers = new Map(steps.map((step) => [step.key, step.number]));
        const first = numbers.get('1');
        if (first === undefined) return;
        for (const { text } of steps) {
          for (const mention of text.match(/go to step \d+/g) ?? [])
            expect(mention).toBe(`go to step ${first}`);
        }
      }),
    );
  });

  test('changes nothing in a text but the numbers of steps', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), key, (noise, wanted) => {
        const text = `${noise} step ${wanted} ${noise}`;
        const marked = renumber(text, () => 7);
        const mask = (each: string) =>
          findReferences(each).reduceRight((rest, at) => rest.slice(0, at.start) + rest.slice(at.end), each);
        expect(mask(marked)).toBe(mask(text));
        expect(renumber(text, () => undefined)).toBe(text);
      }),
    );
  });
});

type Steps = Pick<StepDeclaration, 'key' | 'append' | 'text'>[];

function chainOf(files: Steps[]): [Declaration, ...Declaration[]] {
  const [first, ...rest] = files.map((steps, index): Declaration => {
    const at = { file: `${index}.yaml`, line: 1, column: 1 };
    const nothing = { description: null, extends: null, inputs: null, outputs: null };
    return { name: `${index}`, ...nothing, steps: steps.map((step) => ({ ...step, at })), at };
  });
  if (!first) throw new Error('there is at least one');
  return [first, ...rest];
}

/** The simplest form of the rules: each file replaces and adds, then appends. */
function byHand(files: Steps[]): [string, string][] {
  const all: Record<string, string> = {};
  for (const steps of files) {
    for (const { key: name, text } of steps.filter(({ append }) => !append)) all[name] = text;
    for (const { key: name, text } of steps.filter(({ append }) => append)) all[name] += `\n${text}`;
  }
  const order = Object.keys(all).sort((a, b) => (padded(a) < padded(b) ? -1 : 1));
  const number = (name: string) => order.indexOf(name) + 1 || name;
  return order.map((name) => [
    name,
    (all[name] ?? '')
      .replaceAll('step 1', `step ${number('1')}`)
      .replaceAll('steps 2 and 3.1', `steps ${number('2')} and ${number('3.1')}`),
  ]);
}

const padded = (name: string) =>
  name
    .split('.')
    .map((digits) => digits.padStart(4, '0'))
    .join('.');

const texts = (steps: { key: string; text: string }[]): [string, string][] =>
  steps.map(({ key: name, text }) => [name, text]);

function shuffle<T>(list: readonly T[], seed: number): T[] {
  return list
    .map((item, index) => ({ item, rank: Math.sin(seed + index * 7.3) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
