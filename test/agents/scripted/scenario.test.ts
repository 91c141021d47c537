import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkScenario, loadScenario } from '../../../src/agents/scripted/scenario.ts';
import { freshFolder } from './wire.ts';

describe('FAKE-1 a scenario file', () => {
  test.each<[string, unknown, RegExp]>([
    ['no invocations', {}, /^f is no scenario.*\n {2}invocations: /],
    [
      'an unknown step',
      { invocations: [{ steps: [{ do: 'aks' }] }] },
      /invocations\[0\]\.steps\[0\]\.do: "aks" is no step; use one of say, think, ask, use, write, edit, run, together, /,
    ],
    ['no step', { invocations: [{ steps: [{}] }] }, /steps\[0\]\.do: undefined is no step/],
    [
      'an unknown field',
      { invocations: [{ steps: [], sesionId: 'x' }] },
      /invocations\[0\]: "sesionId" is not known here; take it away\./,
    ],
    [
      'a field of a step',
      { invocations: [{ steps: [{ do: 'wait', ms: 'long' }] }] },
      /steps\[0\]\.ms: .*number/,
    ],
    [
      'a field in a call',
      { invocations: [{ steps: [{ do: 'together', steps: [{ do: 'write', path: 'x' }] }] }] },
      /steps\[0\]\.steps\[0\]\.content: /,
    ],
    ['another behaviour', { behaves: '3', invocations: [{ steps: [] }] }, /behaves: .*"2\.1\.325"/],
    ['something else', 'text', /the whole file: /],
  ])('%s is told with its place', (_, value, message) => {
    expect(() => checkScenario(value, 'f')).toThrow(message);
  });

  test('what cannot be read is told with the file and what it has to be', () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'bad.json'), '{');
    expect(() => loadScenario('bad.json', folder)).toThrow(
      `${join(folder, 'bad.json')} cannot be read as a scenario`,
    );
    expect(() => loadScenario('none.json', folder)).toThrow('must name a JSON file with "invocations"');
  });

  test('its state is kept beside it, or where it says', () => {
    const folder = freshFolder();
    const file = join(folder, 's.json');
    writeFileSync(file, JSON.stringify({ invocations: [{ steps: [] }] }));
    expect(loadScenario(file, '/').state).toBe(`${file}.state`);
    writeFileSync(file, JSON.stringify({ state: 'here', invocations: [{ steps: [] }] }));
    expect(loadScenario(file, '/').state).toBe(join(folder, 'here'));
  });
});
