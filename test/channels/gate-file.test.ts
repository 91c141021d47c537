import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { answerByFile, ensureGateFile } from '../../src/channels/gate-file/answer-by-file.ts';
import { readGateFile, withEnd, withProblems } from '../../src/channels/gate-file/read.ts';
import { gateFileText } from '../../src/channels/gate-file/template.ts';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import type { By } from '../../src/schema/actor.ts';
import type { GateKind } from '../../src/schema/gate.ts';
import type { Notification } from '../../src/schema/notification.ts';
import { cpuTime } from '../support/cpu-time.ts';

const free = (...ids: string[]) => ids.map((id) => ({ id, text: `${id}?`, createdAt: '' }));
const choice = (id: string, ...labels: string[]) => ({
  id,
  text: `${id}?`,
  createdAt: '',
  options: labels.map((label) => ({ label })),
});
const questions: Record<GateKind, Notification['questions']> = {
  testing: [choice('passed', 'passed', 'changes'), ...free('thoughts', 'refinements', 'logs')],
  variants: [
    choice('A', 'main', 'alternative', 'discard'),
    choice('B', 'main', 'alternative', 'discard'),
    ...free('thoughts', 'reason'),
  ],
  logging: free('thoughts', 'logs'),
  findings: [choice('approved', 'approved', 'changes'), ...free('thoughts', 'changes', 'web_1_A', 'web_1_B')],
  plan: [choice('approved', 'approved', 'changes'), ...free('thoughts', 'changes')],
};
const gate = (kind: GateKind): Notification => ({
  id: 'n-1',
  projectId: 'p',
  source: 'gate',
  sourceId: 'shop/1',
  kind: 'gate',
  holds: { task: 'shop/1' },
  status: 'open',
  questions: questions[kind],
  responses: [],
  policy: { kind: 'wait' },
  gate: { kind, plan: 'shop', phase: '1', round: 1, file: '' },
  createdAt: '',
  createdBy: { actor: { kind: 'agent', name: 'x' }, channel: 'command' },
});
const template = (kind: GateKind) => gateFileText(gate(kind), './testing.json');
const said = (kind: GateKind, text: string) => {
  const reading = readGateFile(gate(kind), text);
  if (reading.kind !== 'done') return reading;
  return Object.fromEntries(
    reading.responses.map((r) => [
      r.questionId,
      'answer' in r ? [r.answer, 'note' in r ? r.note : ''].join('|') : '–',
    ]),
  );
};

describe('GATE-1 a filled-in gate file', () => {
  test('the template has a schema line, says what to fill in, and is not an answer until it is filled in', () => {
    const text = template('testing');
    expect(text).toMatch(
      /^# yaml-language-server: \$schema=\.\/testing\.json\n# Testing gate · holds up phase 1 of plan shop\n/,
    );
    expect(text).toContain('fermata answer n-1');
    for (const kind of Object.keys(questions) as GateKind[]) {
      expect(readGateFile(gate(kind), template(kind))).toEqual({ kind: 'open' });
    }
  });

  const done = (kind: GateKind) => template(kind).replace('done: false', 'done: true');
  test.each<[string, GateKind, string, object]>([
    ['done as it is: it works', 'testing', done('testing'), { passed: 'passed|', thoughts: '–', logs: '–' }],
    ['only done', 'testing', 'done: true', { passed: 'passed|', refinements: '–' }],
    ['yes is true', 'testing', 'done: yes\npassed: no\n', { passed: 'changes|' }],
    [
      'what has to change means that it did not pass',
      'testing',
      'passed: true\nrefinements: |\n  faster\ndone: on',
      { passed: 'changes|', refinements: 'faster|' },
    ],
    [
      'Windows line ends and a byte order mark',
      'testing',
      '\uFEFFpassed: false\r\nlogs: |\r\n  a\r\n  b\r\ndone: true\r\n',
      { passed: 'changes|', logs: 'a\nb|' },
    ],
    [
      'numbers stay as they were written',
      'logging',
      'logs: 2.10\nthoughts: 007\ndone: true',
      { logs: '2.10|', thoughts: '007|' },
    ],
    [
      'a hint is no text',
      'logging',
      'logs: |\n  <!-- Paste debug logs here -->\n  DBG x=1\ndone: true',
      { logs: 'DBG x=1|' },
    ],
    [
      'decisions with reasons',
      'variants',
      'A:\n  decision: main\n  reason: best\nB: {decision: discard}\ndone: true',
      { A: 'main|best', B: 'discard|' },
    ],
    ['decisions alone', 'variants', 'A: alternative\nB: main\ndone: true', { A: 'alternative|', B: 'main|' }],
    [
      'approaches one by one',
      'findings',
      'web_1_A:\n  changes: use zod\nweb_1_B:\n  rejected: true\ndone: true',
      { approved: 'changes|', web_1_A: 'use zod|', web_1_B: 'reject|' },
    ],
    [
      'a plan with changes',
      'plan',
      'changes: more tests\ndone: true',
      { approved: 'changes|', changes: 'more tests|' },
    ],
    ['a plan without', 'plan', done('plan'), { approved: 'approved|', changes: '–' }],
  ])('%s', (_, kind, text, expected) => {
    expect(said(kind, text)).toMatchObject(expected);
  });

  test('half a file is not an answer', () => {
    const text = done('testing');
    for (let length = 0; length < text.length - 1; length += 7) {
      expect(readGateFile(gate('testing'), text.slice(0, length)).kind).toBe('open');
    }
  });
});

describe('GATE-2 an error is reported with its place', () => {
  test.each<[string, GateKind, string, string]>([
    [
      'a value that cannot be',
      'testing',
      'thoughts: my long feedback\npassed: nope\ndone: true\n',
      '2:9 passed: write true or false.',
    ],
    ['wrong YAML', 'testing', 'thoughts: "open\npassed: true\ndone: true\n', 'not valid YAML'],
    ['text that is not indented', 'logging', 'logs: |\nDBG x\ndone: true\n', 'not valid YAML'],
    [
      'a key twice',
      'plan',
      'approved: true\napproved: false\ndone: true',
      '2:1 not valid YAML: Map keys must be unique',
    ],
    [
      'an undecided variant',
      'variants',
      'A:\n  decision: main\nB:\n  decision:\ndone: true',
      'B: decide on this variant: main, alternative, discard.',
    ],
    ['a decision that there is not', 'variants', 'A:\n  decision: accepted\nB: main\ndone: true', '2:13'],
    [
      'a variant that there is not',
      'variants',
      'A: main\nB: discard\nC: discard\ndone: true',
      '3:1 "C" is not a question here',
    ],
    [
      'too many aliases',
      'testing',
      `x: &a [1,2]\ny: &b [${'*a,'.repeat(20)}]\nz: [${'*b,'.repeat(20)}]\ndone: true`,
      '1:1 it has too many aliases',
    ],
    [
      'a merge of what is no map',
      'testing',
      '%YAML 1.1\n---\n<<: 1\ndone: true',
      '1:1 Merge sources must be maps or map aliases.',
    ],
    ['an alias of nothing', 'testing', 'x: *a\ndone: true', '1:1 Unresolved alias'],
    [
      'more than anybody writes',
      'testing',
      `${'a: b\n'.repeat(50_000)}done: true`,
      '1:1 it has more than 100000 tokens.',
    ],
    ['an unknown key', 'testing', 'passsed: true\ndone: true', 'passsed'],
  ])('%s', (_, kind, text, sentence) => {
    const reading = readGateFile(gate(kind), text);
    if (reading.kind !== 'wrong') throw new Error(`It is ${reading.kind}.`);
    const told = reading.problems
      .map(({ line, column, message }) => `${line}:${column} ${message}`)
      .join('\n');
    expect(told).toContain(sentence);
  });

  test.each(['testing', 'variants', 'findings'] as const)(
    'thousands of keys of a %s gate take no time',
    (kind) => {
      const keys = Array.from({ length: 12_000 }, (_, n) => `key${n}: {changes: x}`).join('\n');
      const read = () => expect(readGateFile(gate(kind), `${keys}\ndone: true`).kind).toBe('wrong');
      expect(cpuTime(read)).toBeLessThan(5000);
    },
  );

  test.each(['\n', '\r\n'])('the file says so with its lines, and keeps every word (line end %j)', (end) => {
    const text = ['# schema', 'thoughts: my long feedback', 'passed: nope', 'done: true', ''].join(end);
    const reading = readGateFile(gate('testing'), text);
    if (reading.kind !== 'wrong') throw new Error('It is not wrong.');
    const told = withProblems(text, reading.problems);
    const [first, second, ...rest] = told.split(end);
    expect(first).toBe('# >> line 5, column 9: passed: write true or false.');
    expect(second).toMatch(/Nothing is lost/);
    expect(rest).toEqual(['# schema', 'thoughts: my long feedback', 'passed: nope', 'done: false', '']);
    expect(told.split(end)[4]).toBe('passed: nope');
    const again = readGateFile(gate('testing'), told.replace('done: false', 'done: true'));
    if (again.kind !== 'wrong') throw new Error('It is not wrong.');
    expect(withProblems(told.replace('done: false', 'done: true'), again.problems)).toBe(told);
    expect(withEnd(told, 'Settled.')).toBe(`# >> Settled.${end}${rest.join(end)}`);
  });
});

describe('GATE-2 a file that is watched', () => {
  const ann: By = { actor: { kind: 'person', name: 'ann' }, channel: 'gate-file' };
  const agent: By = { actor: { kind: 'agent', name: 'coder' }, channel: 'command' };
  const cleanUp: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const clean of cleanUp.splice(0)) await clean();
  });

  async function watched(kind: GateKind) {
    const dir = mkdtempSync(join(tmpdir(), 'fermata-gate-'));
    const ledger: Ledger = await openLedger(join(dir, 'ledger.db'));
    await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
    const path = join(dir, 'gates', 'x.yaml');
    const { notification } = await ledger.notifications.create(
      {
        projectId: 'p',
        source: 'gate',
        sourceId: 'shop/1',
        questions: questions[kind],
        gate: { kind, plan: 'shop', round: 1, file: path },
      },
      agent,
    );
    ensureGateFile(path, gateFileText(notification, './s.json'));
    const stop = new AbortController();
    const watching = answerByFile(ledger, notification, path, ann, stop.signal);
    cleanUp.push(async () => {
      stop.abort();
      await watching;
      await ledger.close();
      rmSync(dir, { recursive: true, force: true });
    });
    const shows = async (pattern: RegExp) => {
      for (;;) {
        const text = readFileSync(path, 'utf8');
        if (pattern.test(text)) return text;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    return { ledger, id: notification.id, path, watching, shows };
  }

  test('an editor that replaces the file answers it', async () => {
    const { ledger, id, path, watching } = await watched('testing');
    writeFileSync(`${path}~`, readFileSync(path, 'utf8').replace('done: false', 'done: true'));
    renameSync(`${path}~`, path);
    await watching;
    expect(await ledger.notifications.get('p', id)).toMatchObject({
      outcome: 'answered',
      resolvedBy: { actor: { kind: 'person', name: 'ann' }, channel: 'gate-file' },
    });
  });

  test('two mains are reported in the file, then corrected there', async () => {
    const { ledger, id, path, watching, shows } = await watched('variants');
    writeFileSync(path, 'A: main\nB: main\nthoughts: I like both\ndone: true\n');
    const told = await shows(/^# >> line 4, column 4: A and B are both main/);
    expect(told).toContain('thoughts: I like both\ndone: false\n');
    writeFileSync(path, told.replace('B: main', 'B: discard').replace('done: false', 'done: true'));
    await watching;
    expect((await ledger.notifications.get('p', id)).outcome).toBe('answered');
  });

  test('a person who is too late learns how the gate was settled, and their text stays', async () => {
    const { ledger, id, path, watching, shows } = await watched('plan');
    const bob: By = { actor: { kind: 'person', name: 'bob' }, channel: 'web' };
    const responses = questions.plan.map(({ id: questionId, options }) =>
      options ? { questionId, answer: 'approved' } : { questionId, skipped: true as const },
    );
    await ledger.notifications.resolve('p', id, { responses }, bob);
    writeFileSync(path, 'approved: false\nchanges: much\ndone: true\n');
    await watching;
    expect(await shows(/^# >> Too late\. Question n-\w+ was already settled by bob \(web\)/)).toContain(
      'changes: much',
    );
  });

  test('a folder in its place, or a missing file, does not end the wait', async () => {
    const { path, watching } = await watched('logging');
    rmSync(path);
    mkdirSync(path);
    rmSync(path, { recursive: true });
    writeFileSync(path, 'logs: x\ndone: true\n');
    await watching;
  });
});
