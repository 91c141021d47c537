import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSmall } from '../../../src/files/read-bounded.ts';
import { FermataError } from '../../../src/schema/error.ts';
import { throwIfScarce } from '../../../src/schema/system-fault.ts';
import { environmentFault, isEnvironmentEnd } from '../../../src/work/run/faults.ts';
import { freshFolder } from '../../support/fermata.ts';

const refused = (code: string) => Object.assign(new Error(`${code}: refused, open 'x'`), { code });

test.each(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'EIO', 'EBUSY', 'EACCES', 'EPERM', 'EROFS'])(
  'OPS-7 %s says nothing about the work, whatever wraps it, and a person is told what to do',
  (code) => {
    expect(environmentFault(refused(code))).toMatch(/^\w+: refused, open 'x'\. [A-Z].*\.$/);
    const wrapped = new FermataError('invalid', 'x cannot be read.', { cause: refused(code) });
    expect(environmentFault(wrapped)).toBe('x cannot be read.');
  },
);

test('OPS-7 a missing file, a missing answer and any other error may be the fault of the work', () => {
  for (const error of [refused('ENOENT'), refused('EEXIST'), new FermataError('invalid', 'No.'), 'EMFILE'])
    expect(environmentFault(error)).toBeUndefined();
});

test('OPS-7 an agent that the system refuses a process did not fail; one that reports a failing test did', () => {
  const message = 'agent.sh ended with exit code 254. It said: fork: retry: Resource temporarily unavailable';
  expect(isEnvironmentEnd({ reason: 'failed', message, exitCode: 254 })).toBe(true);
  expect(isEnvironmentEnd({ reason: 'ok', message, exitCode: 0 })).toBe(false);
  expect(isEnvironmentEnd({ reason: 'failed', message: 'claude failed: EMFILE', exitCode: 0 })).toBe(false);
  expect(isEnvironmentEnd({ reason: 'failed', message: 'It said: 1 test failed', exitCode: 1 })).toBe(false);
});

test('OPS-7 a file that cannot be opened because too many are open does not count as missing', () => {
  expect(() => throwIfScarce(refused('EMFILE'))).toThrow('EMFILE');
  expect(() => throwIfScarce(refused('EACCES'))).not.toThrow();
  const missing = join(freshFolder(), 'missing');
  expect([existsSync(missing), readSmall(missing)]).toEqual([false, undefined]);
});
