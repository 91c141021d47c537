import { expect, it } from 'vitest';
import { redactor } from '../../src/ledger/redact/redact.ts';
import { secretKinds } from '../../src/ledger/redact/secret-kinds.ts';
import { cpuTime } from '../support/cpu-time.ts';
import { leastTime } from '../support/least-time.ts';
import { longTest } from '../support/long-test.ts';

/** What nearly matches, to be repeated: the beginning of each kind, alone and with what may follow it. */
const beginnings = secretKinds.flatMap(([, { source }]) => {
  const start = /^(?:[\w-]|\\[./])+/.exec(source)?.[0].replaceAll('\\', '') ?? source.slice(0, 6);
  return ['', 'a', 'A1b2'.repeat(9), 'a-', 'a1.', 'A_'].map((rest) => start + rest);
});
const leads = [
  ...['password="', "password='", 'password=`', 'password=\\"', 'password=', 'password: "a1b2c3 '],
  ...[
    'token=>',
    'token = ',
    'token="\\',
    'key key',
    'api_key=a1',
    ';pwd=',
    'secretsecret',
    'KEYKEY',
    'TOKEN="',
  ],
  ...[
    '--password ',
    '--token --token',
    'curl -u a:',
    'curl -u a:b',
    'Cookie: ',
    'cookie: a=',
    '=',
    'authorization:a ',
  ],
  ...[
    'Bearer a-',
    'login a password ',
    "identified by '",
    '<password>',
    'password>a</',
    'https://a:b',
    '://a:',
    '://a@',
  ],
  ...[
    '?sig=',
    '_auth="',
    'hooks.slack.com/services/',
    '-eyJ',
    '.eyJaaaaaaaaaaa',
    '.abcdef.aaaaaaaaaaaaaaaaaaaaaaaaaaa',
  ],
  ...[
    '8Q~',
    'AZDOaaaa',
    '0123456789abcdef-us1',
    'NRAL',
    '1234567890:AA',
    '.atlasv1.',
    'M',
    '-----BEGIN ',
    '[redacted]',
  ],
  ...[
    '\\n',
    '%20',
    ' ',
    '\n',
    '"',
    'sk-a-',
    'sk-aaaa-',
    'a',
    '0',
    'token=keykeykey!',
    'password=x.x',
    'password=a-a-a1',
  ],
  `token="${'key'.repeat(200)}!"`,
];
const pieces = [...beginnings, ...leads];
const redact = redactor({});
const text = (piece: string, kib: number) =>
  `${piece.repeat(Math.ceil((kib * 1024) / piece.length)).slice(0, kib * 1024)}!`;

it('BIND-15 BIND-23 no text that nearly matches takes long', () => {
  for (const piece of pieces) {
    for (const kind of [undefined, 'verbatim'] as const) {
      expect(
        leastTime(() => redact(text(piece, 16), kind), 1),
        piece,
      ).toBeLessThan(300);
    }
  }
});

it('BIND-23 a very long value takes no longer than other text, and nothing of it is left', () => {
  const value = 'a1B2'.repeat(250_000);
  for (const lead of ['password=', 'token: "', 'Authorization: Bearer ', 'sk-', 'curl -u ann:']) {
    const result: string[] = [];
    expect(cpuTime(() => result.push(redact(lead + value)))).toBeLessThan(2000);
    expect(result[0]).not.toContain('a1B2a1B2');
  }
});

longTest.each(pieces)('BIND-15 the time for %j, repeated, grows no faster than its length', (piece) => {
  for (const kind of [undefined, 'verbatim'] as const) {
    const [short, long] = [text(piece, 256), text(piece, 1024)];
    const quick = leastTime(() => redact(short, kind), 5);
    expect(leastTime(() => redact(long, kind), 5)).toBeLessThan(8 * quick + 10);
  }
});
