import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { resolveProtocol } from '../../src/index.ts';
import { longTest } from '../support/long-test.ts';
import { projectWith, stepsOf } from './support.ts';
import vectors from './vectors.json' with { type: 'json' };

const numbered = (texts: string[]) => texts.map((text, index) => `${index + 1}: ${text}`);

describe('inheritance by the vectors (PROT-3, PROT-5)', () => {
  test.each(vectors.cases)('$name', async ({ steps, extends: base = 'base', expected, error }) => {
    const child = `name: child\nextends: ${base}\nsteps:\n${steps}`;
    const result = await stepsOf('child', { base: vectors.base, child });
    if (expected) expect(result).toEqual(numbered(expected));
    else expect(result).toContain(error);
  });

  test('Windows line ends and a byte order mark change nothing (PROT-3)', async () => {
    const child = '\uFEFFname: child\r\nextends: base\r\nsteps:\r\n  2+: |\r\n    more\r\n    still\r\n';
    const base = vectors.base.replaceAll('\n', '\r\n');
    expect(await stepsOf('child', { base, child })).toEqual(numbered(['one', 'two\nmore\nstill', 'three']));
  });

  test('works at any depth: each appends to, replaces and inserts into what it extends (PROT-3)', async () => {
    const files = {
      base: vectors.base,
      middle: 'extends: base\nsteps:\n  2+: mid\n  2.1: ins\n',
      child: 'extends: middle\nsteps:\n  2+: leaf\n  2.1+: more\n',
      last: 'extends: child\nsteps:\n  2: NEW\n',
    };
    expect(await stepsOf('child', files)).toEqual(numbered(['one', 'two\nmid\nleaf', 'ins\nmore', 'three']));
    expect(await stepsOf('last', files)).toEqual(numbered(['one', 'NEW', 'ins\nmore', 'three']));
  });

  test('the data says where each step came from, and what was appended to it (PROT-2)', async () => {
    const child = 'name: child\nextends: base\nsteps:\n  2+: more\n  2.1: |\n    new\n';
    const folder = projectWith({ base: vectors.base, child });
    const { steps } = await resolveProtocol('child', { folder });
    const [base, own] = ['.claude/protocols/base.yaml', '.claude/protocols/child.yaml'];
    expect(steps).toEqual([
      { number: 1, key: '1', text: 'one', from: { file: base, line: 12 } },
      {
        number: 2,
        key: '2',
        text: 'two\nmore',
        from: { file: base, line: 14 },
        appended: [{ file: own, line: 4 }],
      },
      { number: 3, key: '2.1', text: 'new', from: { file: own, line: 5 } },
      { number: 4, key: '3', text: 'three', from: { file: base, line: 16 } },
    ]);
  });
});

describe('inputs and outputs (PROT-4)', () => {
  test.each([
    ['', 1, 1],
    ['inputs: null\noutputs: ~\n', 1, 1],
    ['inputs: []\noutputs: []\n', 0, 0],
    ['inputs:\n  - name: b\n  - name: c\noutputs:\n  - value: done\n', 2, 1],
  ])('%j', async (fields, inputs, outputs) => {
    const folder = projectWith({ base: vectors.base, child: `extends: base\n${fields}` });
    const protocol = await resolveProtocol('child', { folder });
    expect([protocol.inputs.length, protocol.outputs.length]).toEqual([inputs, outputs]);
    expect(protocol.description).toBe('The base');
  });

  test.each([
    ['inputs: a', ':2:9: "inputs" must be a list'],
    ['inputs:\n  - a', ':3:5: An entry of "inputs" must be a mapping.'],
    ['inputs:\n  - type: x', ':3:5: An entry of "inputs" has no "name".'],
    ['inputs:\n  - name: x\n    optional: maybe', ':4:15: "optional" must be true or false.'],
    ['outputs:\n  - value: [1]', ':3:12: "value" must be a string.'],
    ['description: [a]', ':2:14: "description" must be a string.'],
  ])('%j is refused at its place (PROT-5)', async (fields, message) => {
    expect(await stepsOf('child', { child: `name: child\n${fields}\nsteps: [x]\n` })).toContain(message);
  });
});

describe('references to steps (PROT-6)', () => {
  test('follow the numbering, wherever they are', async () => {
    const base = [
      'steps:',
      '  1: one',
      '  2: |',
      '    See step 1, not step 2.5x. **Go to step 3** (Step 03!)',
      '    ```',
      '    run --step 3 first_step 3',
      '    ```',
      '  3: Repeat step 2, 3 times; steps 1, 2 and 3; steps 1-3; step 1-3; steps 1, 2, and 3; step 99',
      '',
    ].join('\n');
    const child = 'extends: base\nsteps:\n  0.1: zero\n  2.1: "back to step 2.1 or step 2.01"\n';
    expect(await stepsOf('child', { base, child })).toEqual([
      '1: zero',
      '2: one',
      '3: See step 2, not step 2.5x. **Go to step 5** (Step 5!)\n```\nrun --step 3 first_step 3\n```',
      '4: back to step 4 or step 4',
      '5: Repeat step 3, 3 times; steps 2, 3 and 5; steps 2-5; step 2-5; steps 2, 3, and 5; step 99',
    ]);
  });
});

describe('errors (PROT-5)', () => {
  test('reports an unknown name, with similar names', async () => {
    expect(await stepsOf('debuging', {})).toBe(
      'There is no protocol "debuging". Did you mean "debugging"? Protocols: bug-discovery, debugging, discovery, implementation.',
    );
  });

  test.each(['../base', '/etc/passwd', 'a/b', 'a\\b', '..', '.hidden', '', 'a\0b', 'x'.repeat(200)])(
    'a name with a path in it: %j',
    async (name) => {
      expect(await stepsOf(name, { base: vectors.base })).toContain('cannot be the name of a protocol');
    },
  );

  test('reports a cycle, with its path', async () => {
    const circle = { a: 'extends: b\nsteps: [x]\n', b: 'extends: c\n', c: 'extends: b\n' };
    expect(await stepsOf('a', circle)).toBe(
      '.claude/protocols/c.yaml:1:10: This protocol extends itself: b → c → b.',
    );
    expect(await stepsOf('s', { s: 'extends: s\nsteps: [x]\n' })).toContain('s → s');
  });

  longTest('reports a cycle of a thousand, quickly', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 1000 }, (_, n) => [`p${n}`, `extends: p${(n + 1) % 1000}\nsteps: [x]\n`]),
    );
    const message = await stepsOf('p0', files);
    expect(message).toMatch(/extends itself: p0 → p1 → .*… → p999 → p0\.$/);
  });

  test('reports all problems, not only the first', async () => {
    const child = 'steps:\n  x: a\n  y: b\n  1:\n';
    expect((await stepsOf('child', { child })) as string).toMatch(
      /:2:3: .*\n.*:3:3: .*\n.*:4:5: Step 1 is empty/,
    );
  });

  test('reports a protocol without steps, and a file that is not a protocol', async () => {
    expect(await stepsOf('child', { child: 'name: child\n' })).toContain(
      'The protocol "child" has no steps.',
    );
    expect(await stepsOf('child', { child: 'just words\n' })).toContain('Not a protocol');
    expect(await stepsOf('child', { child: '' })).toContain('Not a protocol');
  });
});

describe('the file of a protocol', () => {
  test('is found from a folder inside the repository, and from nowhere else (PROT-1)', async () => {
    const top = projectWith({ own: 'steps: [mine]\n' });
    const inside = join(top, 'src', 'deep');
    mkdirSync(inside, { recursive: true });
    await expect(resolveProtocol('own', { folder: inside })).rejects.toThrow('There is no protocol "own"');
    execFileSync('git', ['init', '-q', top]);
    expect((await resolveProtocol('own', { folder: inside })).steps[0]?.text).toBe('mine');
  });

  test('overrides the built-in one of the same name, and may extend it (PROT-1)', async () => {
    const folder = projectWith({ debugging: 'extends: debugging\nsteps:\n  15+: "* Ring the bell"\n' });
    const { name, steps } = await resolveProtocol('debugging', { folder });
    expect(name).toBe('debugging');
    expect(steps).toHaveLength(18);
    expect(steps[17]?.text).toMatch(/complete-prompt[\s\S]*\n\* Ring the bell$/);
    expect(steps[8]?.from.file).toBe('builtin/debugging.yaml');
  });

  test('is not read through a link that points outside its folder (PROT-5)', async () => {
    const folder = projectWith({ there: 'steps: [x]\n' });
    const protocols = join(folder, '.claude/protocols');
    writeFileSync(join(folder, 'outside.yaml'), 'steps: [secret]\n');
    symlinkSync(join(folder, 'outside.yaml'), join(protocols, 'link.yaml'));
    symlinkSync(join(protocols, 'there.yaml'), join(protocols, 'alias.yaml'));
    await expect(resolveProtocol('link', { folder })).rejects.toThrow('something outside its folder');
    expect((await resolveProtocol('alias', { folder })).steps).toHaveLength(1);
  });

  test('is refused at once if it is not a file, too large, or not text (PROT-5)', async () => {
    const folder = projectWith({ large: `steps:\n  1: ${'x'.repeat(1e6)}\n` });
    const protocols = join(folder, '.claude/protocols');
    mkdirSync(join(protocols, 'dir.yaml'));
    const socket = createServer().listen(join(protocols, 'socket.yaml'));
    onTestFinished(() => void socket.close());
    await once(socket, 'listening');
    writeFileSync(join(protocols, 'bytes.yaml'), Buffer.from([0x73, 0xff, 0xfe]));
    await expect(resolveProtocol('large', { folder })).rejects.toThrow('at most 131072 are allowed');
    await expect(resolveProtocol('dir', { folder })).rejects.toThrow('is not a file');
    await expect(resolveProtocol('socket', { folder })).rejects.toThrow('is not a file');
    await expect(resolveProtocol('bytes', { folder })).rejects.toThrow('is not UTF-8 text');
  });
});

describe('hostile YAML ends quickly, with a clear error (PROT-5)', () => {
  const isRefused = async (_: string, child: string) => {
    expect(await stepsOf('child', { child })).toMatch(/^\.claude\/protocols\/child\.yaml:\d+:\d+: /);
  };

  test.each([
    ['brackets', '['.repeat(100_000)],
    ['indentation', Array.from({ length: 500 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')],
    [
      'an alias bomb',
      `a: &a [x]\n${Array.from({ length: 30 }, (_, n) => `b${n}: [${'*a, '.repeat(30)}]`).join('\n')}`,
    ],
    ['an alias to nothing', 'steps: [*x]\n'],
    ['a tag that runs code', 'steps: !!js/function "x"\n'],
  ])('%s', isRefused);

  longTest.each([
    ['nested mappings', '{a: '.repeat(30_000)],
    ['closing brackets', '}\n'.repeat(60_000)],
    ['many documents', '---\n'.repeat(30_000)],
    ['aliases by the thousand', `x: &x y\nsteps: [${'*x, '.repeat(20_000)}]\n`],
  ])('%s', isRefused);

  test('an alias to a text is that text', async () => {
    expect(await stepsOf('child', { child: 'steps:\n  1: &a text\n  2: *a\n' })).toEqual([
      '1: text',
      '2: text',
    ]);
  });
});
