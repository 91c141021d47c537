import { afterEach, expect, test, vi } from 'vitest';
import { colorsOn } from '../../src/channels/colors.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['on a terminal', true, {}, true],
  ['in a pipe', false, {}, false],
  ['in a pipe in CI', false, { CI: '1' }, false],
  ['with NO_COLOR', true, { NO_COLOR: '1' }, false],
  ['on a terminal that knows none', true, { TERM: 'dumb' }, false],
])('colours %s', (_, isTTY, env, colored) => {
  for (const [name, value] of Object.entries({ NO_COLOR: '', TERM: 'xterm', CI: '', ...env })) {
    vi.stubEnv(name, value);
  }
  expect(colorsOn({ isTTY }).bold('x')).toBe(colored ? '\u001b[1mx\u001b[22m' : 'x');
});
