import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactor } from '../../src/ledger/redact/redact.ts';
import { bundledProgram } from '../support/bundled-program.ts';
import { cpuTime } from '../support/cpu-time.ts';
import { leastTime } from '../support/least-time.ts';
import { cases } from '../support/long.ts';
import { longTest } from '../support/long-test.ts';

const letters = fc.stringMatching(/^[A-Za-z0-9]{40}$/);
const upper = fc.stringMatching(/^[A-Z0-9]{16}$/);
const secret = fc.oneof(
  letters.map((s) => `sk-ant-${s}`),
  letters.map((s) => `sk-${s}`),
  letters.map((s) => `ghp_${s}`),
  letters.map((s) => `github_pat_${s}`),
  letters.map((s) => `glpat-${s}`),
  letters.map((s) => `xoxb-${s}`),
  letters.map((s) => `npm_${s}`),
  letters.map((s) => `pypi-${s}`),
  letters.map((s) => `hf_${s}`),
  letters.map((s) => `sk_live_${s}`),
  letters.map((s) => `whsec_${s}`),
  letters.map((s) => `ya29.${s}`),
  letters.map((s) => `hvs.${s}`),
  fc.tuple(letters, letters).map(([a, b]) => `SG.${a}.${b}`),
  letters.map((s) => `AIza${s}`),
  upper.map((s) => `AKIA${s}`),
  fc.tuple(letters, letters, letters).map(([a, b, c]) => `eyJ${a}.${b}.${c}`),
  letters.map((s) => `-----BEGIN RSA PRIVATE KEY-----\n${s}\n-----END RSA PRIVATE KEY-----`),
);
const around = fc.string().map((s) => s.replace(/[\w-]/g, ' '));

describe('secrets in questions', () => {
  it('LED-2 of a known shape never get through, and the rest of the text does', () => {
    const redact = redactor({});
    fc.assert(
      fc.property(around, secret, around, (before, hidden, after) => {
        const clean = redact(`${before} ${hidden} ${after}`);
        expect(clean).toBe(`${before} [redacted] ${after}`);
      }),
      { numRuns: cases(500) },
    );
  });

  it('LED-2 from the environment never get through, and cleaning twice is cleaning once', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8, maxLength: 30 }), fc.array(fc.string()), (value, parts) => {
        fc.pre(!'[redacted]'.includes(value) && !value.includes('[redacted]'));
        const redact = redactor({
          DEPLOY_TOKEN: value,
          HOME: '/home/me',
          SHORT_TOKEN: 'x',
          NO_TOKEN: undefined,
        });
        const clean = redact(parts.join(value));
        if (value.trim() === value) expect(clean).not.toContain(value);
        expect(redact(clean)).toBe(clean);
        expect(redact('/home/me x')).toBe(value === '/home/me' ? '[redacted] x' : '/home/me x');
      }),
      { numRuns: cases(300) },
    );
  });

  it.each([
    ['Authorization: Bearer abcdefghijklmnopqrst', 'Authorization: Bearer [redacted]'],
    ['postgres://ann:s3cret@host/db', 'postgres://ann:[redacted]@host/db'],
    ['https://example.com:8080/a@b', 'https://example.com:8080/a@b'],
    ['DB_PASSWORD="hunter2hunter2" or API_KEY=abcdefgh?', 'DB_PASSWORD="[redacted]" or API_KEY=[redacted]'],
    ['Is MAX_TOKENS=1000000000 right? PASSWORD = none', 'Is MAX_TOKENS=1000000000 right? PASSWORD = none'],
    ['the risk-based sk-learn package', 'the risk-based sk-learn package'],
    [
      'See -----BEGIN PRIVATE KEY-----\ncut off',
      'See [redacted] (everything after the beginning of a private key: 35 characters)',
    ],
  ])('LED-2 %j becomes %j', (text, clean) => {
    expect(redactor({})(text)).toBe(clean);
  });

  it('LED-2 if one secret is a prefix of another, no rest of the longer one is left', () => {
    const redact = redactor({ A_TOKEN: 'correct-horse', B_TOKEN: 'correct-horse-battery' });
    expect(redact('correct-horse-battery and correct-horse')).toBe('[redacted] and [redacted]');
  });

  it.each([
    ['a'.repeat(500_000)],
    ['a:'.repeat(200_000)],
    ['://:'.repeat(100_000)],
    ['-----BEGIN PRIVATE KEY-----'.repeat(10_000)],
    [`eyJ${'a'.repeat(300_000)}`],
    ['Bearer '.repeat(50_000)],
    ['a.a+a-'.repeat(80_000)],
    ['-eyJaaaaaaaaaaaa.'.repeat(20_000)],
    ['KEY'.repeat(100_000)],
  ])('LED-2 a long text takes no long time', (text) => {
    expect(cpuTime(() => redactor({ A_TOKEN: 'something-secret' })(text))).toBeLessThan(1000);
  });

  const repeated = (piece: string, kib: number) =>
    piece.repeat(Math.ceil((kib * 1024) / piece.length)).slice(0, kib * 1024);
  const hostile = ['-eyJ', 'KEY', 'a://a:', 'ab://', 'A_TOKEN="', 'Bearer ', '-AKIA', '-----BEGIN ', '='];

  it.each(hostile)('BIND-15 the time for %j, repeated, grows no faster than its length', (piece) => {
    const redact = redactor({});
    const [short, long] = [64, 256].map((kib) => repeated(piece, kib)) as [string, string];
    expect(leastTime(() => redact(long))).toBeLessThan(8 * leastTime(() => redact(short)) + 5);
  });

  const line = `\n${'a'.repeat(64)}`;

  longTest.each([...hostile, `-----BEGIN PRIVATE KEY-----${line}`, line])(
    'BIND-15 the time for %j in what a person approves grows no faster either',
    (piece) => {
      const redact = redactor({});
      const [short, long] = [64, 256].map((kib) => `-----BEGIN PRIVATE KEY-----${repeated(piece, kib)}`) as [
        string,
        string,
      ];
      const time = (of: string) => leastTime(() => redact(of, 'verbatim'));
      expect(time(long)).toBeLessThan(8 * time(short) + 5);
    },
  );

  it('BIND-15 64 KiB of "-eyJ" takes at most 1.5 times as long as harmless text', async () => {
    const program = await bundledProgram(join(import.meta.dirname, 'redact-times.ts'));
    const [hostile, harmless] = JSON.parse(
      execFileSync(process.execPath, [program.file], { encoding: 'utf8' }),
    );
    expect(hostile).toBeLessThanOrEqual(1.5 * harmless);
  });

  it('BIND-15 a web token is found after strings that only look like one', () => {
    const token = `eyJ${'a'.repeat(20)}.${'b'.repeat(20)}.${'c'.repeat(20)}`;
    const text = `-eyJ-eyJ x.bbbbbbbbbbbb.${token} then ${token}`;
    expect(redactor({})(text)).toBe('-eyJ-eyJ x.bbbbbbbbbbbb.[redacted] then [redacted]');
  });
});
