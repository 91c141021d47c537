import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findLost } from '../../../src/plan/convert/fidelity/lost.ts';
import { cpuTime } from '../../support/cpu-time.ts';

const lost = (source: string, plan = '# Nothing') =>
  findLost(source, plan).map(({ kind, text }) => `${kind}: ${text}`);

const roadmap = `# Notification service

Mails are sent from the Django monolith (\`apps/notify/tasks.py\`), which blocks for up to 4 seconds. ~120 tickets/month.

- p95 of the checkout below 300ms, 99.95% delivered within 60 seconds
- a Go worker (\`services/notifier/\`) reads the Kafka topic \`notifications.v1\`. Postgres 15 has the state.
- Redis is used for idempotency keys (TTL 24h); max 5 attempts
- POST /api/v2/notifications returns 202

1. **Outbox**: migration \`0042_outbox.py\`. Use the \`django-expert\` agent.
2. **Worker**: Go 1.22, config in \`config/worker.yaml\`, \`go test ./...\`
   - lint: golangci-lint run
3. **Rollout**: 5% → 50% → 100%, load test with 2,000 rps

## Risks

| Risk | Likelihood | Mitigation |
|------|-----------|------------|
| Kafka outage delays all mail | Medium | replay |
| Duplicate mails after a crash | High | idempotency keys |

- GDPR: personal data in topics must expire after 7 days

## Alternatives considered

Celery with RabbitMQ; rejected.
`;

const faithful = `# Notification Service - Master Plan

Sending leaves the Django monolith (\`apps/notify/tasks.py\`, blocks 4 s), about 120 tickets per month.

1. Checkout p95 < 300 ms; 99.95 % delivered in one minute

| Outage of Kafka delays mail | Medium | the outbox keeps rows and replays |
| Mails duplicated after a crash | High | idempotency keys in Redis with a TTL of 24 hours |
| Personal data in topics (GDPR) | High | topics expire after 7 days |

# Phase 1: Outbox
AGENT:django-expert, migration \`0042_outbox.py\`, PostgreSQL 15
# Phase 2: Worker
services/notifier/ in Go 1.22; \`config/worker.yaml\`; notifications.v1; 5 attempts; POST /api/v2/notifications gives 202
- tests: \`go test ./...\`
- lint: \`golangci-lint run\`
# Phase 3: Rollout
5%, 50%, 100%; load test with 2000 rps
`;

describe('CONV-7 the facts in a source', () => {
  const cases: [string, string, string[]][] = [
    ['an agent in quotes', 'Let the `doc-writer` agent review it.', ['agent: doc-writer']],
    ['an agent by its mark', '- AGENT:task-executor-expert does it', ['agent: task-executor-expert']],
    ['an agent by what it does', 'The code-reviewer agent looks at it.', ['agent: code-reviewer']],
    ['no agent', 'A long-running agent and coding agents.', []],
    [
      'technologies',
      'FastAPI on Kubernetes, with k6 and Next.js.',
      ['technology: FastAPI', 'technology: Kubernetes', 'technology: Next.js'],
    ],
    ['a technology that nobody knows', 'Search is built with Qdrant.', ['technology: Qdrant']],
    [
      'a release',
      'With Python 3.12, PostgreSQL 15 or newer, React 5 times.',
      ['technology: Python 3.12', 'technology: PostgreSQL 15', 'technology: React'],
    ],
    ['ordinary words', 'Go on, make less noise, and express it in a rest of black material.', []],
    [
      'ordinary words that are meant',
      'The server is written in Go, the client in Swift.',
      ['technology: Go', 'technology: Swift'],
    ],
    ['what is not to be used', 'Do it without using Redis, and avoid MongoDB.', []],
    [
      'a command that checks',
      'Run `uv run pytest tests/ -v` before you push.',
      ['command: uv run pytest tests/ -v'],
    ],
    [
      'a command in a block',
      '```bash\n$ cargo clippy -- -D warnings\nls -l\n```',
      ['command: cargo clippy -- -D warnings'],
    ],
    ['a bare gate', '## Gates\n\n- lint: npm run lint', ['command: npm run lint']],
    ['commands that check nothing', '`npm install`, `git commit`, `test`, and `check` it.', []],
    ['code of another language', '```ts\nconst test = check(200);\n```', []],
    [
      'a risk in a list',
      '## Risks\n\n- Vendor may change the payment API',
      ['risk: Vendor may change the payment API'],
    ],
    [
      'a risk in a table',
      '### Risk Assessment\n\n| Risk | Impact |\n|---|---|\n| Migration locks tables | High |',
      ['risk: Migration locks tables'],
    ],
    ['a risk in a line', '**Risk:** old customers cannot sign in', ['risk: old customers cannot sign in']],
    ['a level of risk', 'Risk: High', []],
    [
      'numbers with units',
      'In 250 ms for 10,000 users, with 99.9% up.',
      ['number: 250 ms', 'number: 10,000 users', 'number: 99.9%'],
    ],
    [
      'numbers with bounds',
      'At most 5 of them, on port 8080, and $30 each.',
      ['number: 5', 'number: 8080', 'number: $30'],
    ],
    ['numbers that only count or name', '1. Phase 2, step 3, v1.2.3, #45, AC-7, 2026-01-31, in 2027, Q3', []],
    [
      'files',
      'Change src/shop/models.py, `config.yaml` and `docs/adr/`.',
      ['path: src/shop/models.py', 'path: config.yaml', 'path: docs/adr/'],
    ],
    [
      'what only looks like a file',
      'Client/server, and/or, TCP/IP, e.g. this, see https://example.com/a/b.md',
      [],
    ],
    ['files of plans', 'See phase-1.md, MASTER_PLAN.md and notes/NOTES_phase_1.md', []],
    ['what is out of scope', '## Out of Scope\n\n- Redis in `src/cache.py`, 300 ms', []],
    ['front matter and comments', '---\nport: 8080\n---\n<!-- 500 ms -->\n', []],
  ];

  test.each(cases)('%s', (_, source, expected) => {
    const kinds = expected.map((each) => each.split(':')[0]);
    const found = lost(source);
    // Most sentences are about one kind; anything else in them has its own case.
    expect(
      expected.length === 0 ? found : found.filter((each) => kinds.includes(each.split(':')[0] ?? '')),
    ).toEqual(expected);
  });

  test('a source in other words has lost nothing; with a part left out, only that part is lost', () => {
    expect(lost(roadmap, faithful)).toEqual([]);
    const careless = faithful.replace('Go 1.22', 'Go').replace('`golangci-lint run`', '`golangci-lint`');
    expect(lost(roadmap, careless.replace(/\| Mails duplicated.*\n/, ''))).toEqual([
      'technology: Redis',
      'number: 24h',
      'technology: Go 1.22',
      'command: golangci-lint run',
      'risk: Duplicate mails after a crash',
    ]);
  });

  test('is listed in the order of the source, each once, with its line', () => {
    const source = '# Plan\n\nUse PostgreSQL.\n\nIn 5 s, with PostgreSQL, in `src/a.ts`.\n';
    expect(findLost(source, '')).toEqual([
      { kind: 'technology', text: 'PostgreSQL', line: 3 },
      { kind: 'number', text: '5 s', line: 5 },
      { kind: 'path', text: 'src/a.ts', line: 5 },
    ]);
  });
});

describe('CONV-7 what counts as kept', () => {
  test.each([
    ['another spelling', 'Use PostgreSQL and Node.js.', 'postgres, nodejs'],
    ['another name', 'On Kubernetes.', 'k8s'],
    ['a number in words', 'Retry 3 times.', 'Three times'],
    ['a number in another unit', 'Within 2 minutes, 1.5 s, 10k users.', '120 seconds, 1500 ms, 10,000 users'],
    [
      'a command without its runner',
      'Run `npx eslint .`, `npm run test`.',
      '- lint: `eslint .`\n- tests: `npm test`',
    ],
    [
      'a risk in other words',
      '## Risks\n- The vendor could change its payment API without notice',
      'Vendor changes payment API suddenly',
    ],
    ['a path from another folder', 'In `packages/web/src/app.ts`.', 'edit `src/app.ts`'],
  ])('%s', (_, source, plan) => {
    expect(lost(source, plan)).toEqual([]);
  });

  test.each([
    [
      'a path to another file of the same name',
      'In `src/api/index.ts`.',
      'edit `src/web/index.ts`',
      ['path: src/api/index.ts'],
    ],
    [
      'a risk whose words are all over the plan',
      '## Risks\n- Payment vendor goes bankrupt',
      'payment\n\nvendor\n\nbankrupt',
      ['risk: Payment vendor goes bankrupt'],
    ],
    [
      'a command with other arguments',
      'Run `npm run test:e2e`.',
      '`npm test`',
      ['command: npm run test:e2e'],
    ],
  ])('not %s', (_, source, plan, expected) => {
    expect(lost(source, plan)).toEqual(expected);
  });

  const docs = join(import.meta.dirname, '../../../docs');
  test.each(readdirSync(docs).filter((name) => name.endsWith('.md')))(
    'everything in %s is in itself',
    (name) => {
      const text = readFileSync(join(docs, name), 'utf8');
      expect(findLost(text, text)).toEqual([]);
    },
  );

  test('a hostile source is compared quickly', () => {
    const nasty = [
      '`'.repeat(50_000),
      'a/'.repeat(50_000),
      '1,'.repeat(50_000),
      '| '.repeat(50_000),
      'AGENT:'.repeat(20_000),
    ];
    const source = `## Risks\n\n${nasty.join('\n')}\n${'- see src/a/b.ts in 5 ms\n'.repeat(5000)}`;
    expect(cpuTime(() => findLost(source, 'x '.repeat(100_000)))).toBeLessThan(5000);
  });
});

test('CONV-7 a plan of dots, dashes or digits is searched quickly', () => {
  for (const run of ['.', '-', '1,', '_', 'a-'])
    expect(
      cpuTime(() => findLost('Use Redis, 10 ms.', `a${run.repeat(100_000)}x`)),
      run,
    ).toBeLessThan(2000);
  expect(findLost('It takes 1,500 ms.', 'It takes 1.5 s - well...')).toEqual([]);
});
