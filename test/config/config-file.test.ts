import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/config-file.ts';
import { parseDuration } from '../../src/config/duration.ts';
import { withoutPassword } from '../../src/schema/address.ts';
import { describeDuration, describeLimit } from '../../src/text/duration.ts';

const parse = (text: string) => parseConfig(text, '/app/fermata.config.json');

describe('fermata.config.json', () => {
  test('is read, even with a byte order mark', () => {
    const text = '\uFEFF{"project": "acme/shop", "hilConfig": {"scopeChanges": "automated"}}';
    expect(parse(text)).toEqual({ project: 'acme/shop', hilConfig: { scopeChanges: 'automated' } });
    expect(parse('{}')).toEqual({});
  });

  test.each([
    ['', 'line 1, column 1: not valid JSON'],
    ['{\n  "project": "a",\n}', 'line 3, column 1: not valid JSON'],
    ['{\n  "project": demo}', 'line 2, column 14: not valid JSON'],
    ['{"project": "a"}\n}', 'line 2, column 1: not valid JSON'],
    ['{"a": [1, {"b": [tru]}]}', 'line 1, column 18: not valid JSON'],
    ["{'project': 1}", 'line 1, column 2: not valid JSON'],
    ['[]', 'line 1: Invalid input: expected object, received array'],
    ['{"$schema": "x",\n "hilConfg": "full"}', 'line 2, hilConfg: unknown key'],
    ['{"project": 5}', 'line 1, project: Invalid input: expected string, received number'],
    ['{"project": "a b"}', 'line 1, project: use letters, digits'],
    ['{"hilConfig": "half"}', 'line 1, hilConfig: "half" is not allowed. Use confirm_all, major_only, full.'],
    ['{"hilConfig": 5}', 'line 1, hilConfig: 5 is not allowed. Use confirm_all, major_only, full.'],
    [
      '{"hilConfig":\n {\n "scopeChange": "automated"}}',
      'line 3, hilConfig.scopeChange: unknown key. The keys are scopeChanges,',
    ],
    [
      '{"hilConfig":\n {"scopeChanges": "auto"}}',
      'line 2, hilConfig.scopeChanges: "auto" is not allowed. Use automated,',
    ],
    ['{"x\\nTrusted: all":1}', 'line 1, x Trusted: all: unknown key.'],
    ['{"store": "postgres://me:hunter2@db/x"}', 'line 1, store: unknown key.'],
  ])('LED-10 %j is refused with its place', (text, sentence) => {
    expect(() => parse(text)).toThrow(`/app/fermata.config.json, ${sentence}`);
    expect(() => parse(text)).not.toThrow(/hunter2/);
  });
});

test.each([
  ['postgres://me:hunter2@db/x', 'postgres://me:…@db/x'],
  ['postgresql://me:hun@ter2@db:5432/x', 'postgresql://me:…@db:5432/x'],
  ['postgres://me:hun/ter2@db/x', 'postgres://me:…@db/x'],
  [
    'postgres://db/x?user=me&password=hunter2&sslmode=require',
    'postgres://db/x?user=me&password=…&sslmode=require',
  ],
  ['postgres://me@db/x', 'postgres://me@db/x'],
  ['postgres://:hunter2@db/x', 'postgres://:…@db/x'],
  ['postgres://db:5432/x?sslmode=disable', 'postgres://db:5432/x?sslmode=disable'],
  ['/home/me:you@here/ledger.db', '/home/me:you@here/ledger.db'],
])('SECURITY the address %s is shown as %s', (store, shown) => {
  expect(withoutPassword(store)).toBe(shown);
});

describe('durations', () => {
  test.each([
    ['90', 90],
    ['30s', 30],
    ['5m', 300],
    ['4h', 14_400],
    ['2d', 172_800],
    ['0.5h', 1800],
    [' 10 m ', 600],
  ])('%j is %d seconds', (text, seconds) => {
    expect(parseDuration(text, '--after')).toBe(seconds);
  });

  test.each(['', '-5', '5 minutes', '1e3', 'h', '5w', '1.', 'NaN', '1h30m'])(
    '%j is not a duration',
    (text) => {
      expect(() => parseDuration(text, '--after')).toThrow(
        `--after: "${text}" is not a valid duration. Write seconds, or 30s, 5m, 4h, 2d.`,
      );
    },
  );

  test.each([
    ['0', 'must be longer than 0'],
    ['0s', 'must be longer than 0'],
    ['4000d', 'is longer than ten years'],
    ['9'.repeat(400), 'is longer than ten years'],
  ])('%j is refused with what is wrong about it', (text, why) => {
    expect(() => parseDuration(text, '--timeout')).toThrow(`--timeout: "${text}" ${why}. Write seconds, or`);
  });

  test.each([
    [-3, '0 s'],
    [59.9, '59 s'],
    [60, '1 min'],
    [3599, '59 min'],
    [7200, '2 h'],
    [200_000, '2 d'],
  ])('%d seconds are shown as %s', (seconds, shown) => {
    expect(describeDuration(seconds)).toBe(shown);
  });

  test.each([
    [0.5, '0.5 s'],
    [90, '90 s'],
    [1800, '30 min'],
    [7200, '2 h'],
  ])('a limit of %s seconds is shown exactly: %s', (seconds, shown) => {
    expect(describeLimit(seconds)).toBe(shown);
  });
});
