import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadScenario } from '../../src/testing/load-scenario.ts';
import { checkScenario } from '../../src/testing/scenario.ts';
import { freshFolder } from './wire.ts';

describe('FAKE-1 a scenario file', () => {
  test.each<[string, unknown, RegExp]>([
    ['no invocations', {}, /^f is not a valid scenario.*\n {2}invocations: /],
    [
      'an unknown step',
      { invocations: [{ steps: [{ do: 'aks' }] }] },
      /invocations\[0\]\.steps\[0\]\.do: "aks" is not a step; use one of say, think, ask, use, write, edit, run, together, /,
    ],
    ['no step', { invocations: [{ steps: [{}] }] }, /steps\[0\]\.do: undefined is not a step/],
    [
      'an unknown field',
      { invocations: [{ steps: [], sesionId: 'x' }] },
      /invocations\[0\]: "sesionId" is not known here; remove it\./,
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

  test('an unreadable scenario is reported with the file and what it must be', () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'bad.json'), '{');
    expect(() => loadScenario('bad.json', folder)).toThrow(
      `Cannot read ${join(folder, 'bad.json')} as a scenario`,
    );
    expect(() => loadScenario('none.json', folder)).toThrow('must name a JSON file with "invocations"');
  });

  test('its state is kept next to it, or where it says', () => {
    const folder = freshFolder();
    const file = join(folder, 's.json');
    writeFileSync(file, JSON.stringify({ invocations: [{ steps: [] }] }));
    expect(loadScenario(file, '/').state).toBe(`${file}.state`);
    writeFileSync(file, JSON.stringify({ state: 'here', invocations: [{ steps: [] }] }));
    expect(loadScenario(file, '/').state).toBe(join(folder, 'here'));
  });
});
