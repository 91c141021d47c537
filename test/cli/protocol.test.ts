import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { ProtocolFile } from '../../src/schema/protocol-file.ts';
import { jsonSchemas } from '../../src/schema.ts';
import { fermata, freshFolder } from '../support/fermata.ts';

function folderWith(files: Record<string, string>): string {
  const folder = freshFolder();
  mkdirSync(join(folder, '.claude/protocols'), { recursive: true });
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, '.claude/protocols', name), text);
  return folder;
}

describe('fermata protocol (CLI-protocol)', () => {
  test('prints the steps of a built-in protocol for an agent (PROT-1, PROT-2)', async () => {
    const { code, stdout, stderr } = await fermata(['protocol', 'debugging']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^# debugging\n.+\n\n## Inputs\n- prompt_num: integer \(required\) - .+/);
    expect(stdout.match(/^\d+: /gm)).toEqual(Array.from({ length: 18 }, (_, n) => `${n + 1}: `));
  });

  test('"plan protocol" does the same (PROT-1)', async () => {
    const [one, other] = await Promise.all([
      fermata(['protocol', 'discovery']),
      fermata(['plan', 'protocol', 'discovery']),
    ]);
    expect(other).toEqual(one);
  });

  test('prints JSON with the key, file and line of each step (PROT-2)', async () => {
    const cwd = folderWith({ 'own.yaml': 'name: own\nsteps:\n  1: a\n  1.5: b\n' });
    const { stdout } = await fermata(['protocol', 'own', '--format', 'json'], { cwd });
    const file = '.claude/protocols/own.yaml';
    expect(JSON.parse(stdout)).toEqual({
      name: 'own',
      description: '',
      inputs: [],
      outputs: [],
      steps: [
        { number: 1, key: '1', text: 'a', from: { file, line: 3 } },
        { number: 2, key: '1.5', text: 'b', from: { file, line: 4 } },
      ],
    });
  });

  test('lists all protocols, even those with errors (PROT-2)', async () => {
    const cwd = folderWith({ 'own.yaml': 'description: Mine\nsteps: [a]\n', 'bad.yaml': 'steps: 5\n' });
    const { stdout } = await fermata(['protocol', '--list'], { cwd });
    expect(stdout).toMatch(/^own +\.claude\/protocols\/own\.yaml +Mine$/m);
    expect(stdout).toMatch(/^bad .+ has errors: see --lint$/m);
    expect(stdout).toMatch(/^debugging +implementation +built in /m);
    const { protocols } = JSON.parse((await fermata(['protocol', '--list', '--json'], { cwd })).stdout);
    expect(protocols).toHaveLength(6);
  });

  test('lint reports errors and warnings with their places, and exits with 2 on errors (PROT-6, PROT-7)', async () => {
    const own = 'name: other\nsteps:\n  1: |\n    fine\n    go to step 3\n  2: see step 1\nstep: x\n';
    const cwd = folderWith({ 'own.yaml': own, 'child.yaml': 'extends: own\nsteps:\n  9: new\n' });
    const { code, stdout } = await fermata(['protocol', '--lint'], { cwd });
    expect(code).toBe(2);
    expect(stdout.trimEnd().split('\n')).toEqual([
      '.claude/protocols/child.yaml:3:3: warning: There is no step 9 to replace, so it is added as a new one.',
      '.claude/protocols/own.yaml:1:1: warning: The name is "other", but the file is called "own".',
      '.claude/protocols/own.yaml:5:16: There is no step 3 to refer to.',
      '.claude/protocols/own.yaml:7:1: warning: "step" is not a known field. Did you mean "steps"?',
      '6 protocols checked: 1 error, 3 warnings.',
    ]);
    const file = join('.claude', 'protocols', 'child.yaml');
    const one = await fermata(['protocol', '--lint', file, '--json'], { cwd });
    expect(JSON.parse(one.stdout)).toMatchObject({ passed: false, files: [file] });
  });

  test('the protocols in the package have no errors (PROT-7)', async () => {
    const { code, stdout } = await fermata(['protocol', '--lint']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '4 protocols checked: no problems.\n' });
  });

  test.each([
    [['protocol'], /^fermata: Which protocol\? /],
    [['protocol', 'a', 'b'], /^fermata: Pass the name of one protocol\.\n$/],
    [['protocol', 'debuging'], /^fermata: There is no protocol "debuging"\. Did you mean "debugging"\? /],
    [['protocol', '../x'], /^fermata: "\.\.\/x" cannot be the name of a protocol/],
    [['protocol', '--lint', 'nowhere.yaml'], /^$/],
  ])('%j ends with 2 (PROT-5, CLI-EXIT-2)', async (args, message) => {
    const { code, stderr } = await fermata(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  test.each(['nowhere', 'nowhere.yaml'])('lint reports that %s does not exist', async (file) => {
    const { stdout } = await fermata(['protocol', '--lint', file]);
    expect(stdout).toContain(`${file}:1:1: File not found.`);
  });

  test('the place of an error is on stderr, and in the JSON (PROT-5)', async () => {
    const cwd = folderWith({ 'own.yaml': 'steps:\n  2.0: a\n' });
    const { code, stdout, stderr } = await fermata(['protocol', 'own', '--json'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^fermata: \.claude\/protocols\/own\.yaml:2:3: "2\.0" is not a step number/);
    expect(JSON.parse(stdout).error.details[0]).toMatchObject({ line: 2, column: 3 });
  });

  test('text in a protocol cannot control the terminal', async () => {
    const cwd = folderWith({ 'own.yaml': 'steps:\n  1: "a\\e[2Jb\\u202e"\n' });
    expect((await fermata(['protocol', 'own'], { cwd })).stdout).toContain('1: a␛[2Jb⟨U+202E⟩\n');
  });
});

describe('the JSON Schema of a protocol file (PROT-7)', () => {
  const schema = z.fromJSONSchema(jsonSchemas().protocol as z.core.JSONSchema.BaseSchema);

  test.each([
    ['steps: { "1": a, "2.5": b, "3+": c }', true],
    ['name: a\ndescription: b\nextends: null\ninputs: null\noutputs: []\nsteps: [a, b]', true],
    ['inputs: [{ name: a, type: integer, optional: true }]\noutputs: [{ value: x }]', true],
    ['steps: { "2.0": a }', false],
    ['steps: { first: a }', false],
    ['steps: { "1": "" }', false],
    ['steps: { "1": [a] }', false],
    ['extends: [a]\nsteps: {}', false],
    ['inputs: [{ type: string }]', false],
    ['outputs: x', false],
  ])('%j is %s, as for lint', async (text, valid) => {
    const value = parse(text);
    expect(schema.safeParse(value).success).toBe(valid);
    expect(ProtocolFile.safeParse(value).success).toBe(valid);
    const base = 'steps: [one, two, three]\n';
    const own = valid && !text.includes('extends') ? `${text}\nextends: base\n` : `${text}\n`;
    const cwd = folderWith({ 'base.yaml': base, 'a.yaml': own });
    const { stdout } = await fermata(['protocol', '--lint', '--json'], { cwd });
    expect(JSON.parse(stdout).passed).toBe(valid);
  });
});
