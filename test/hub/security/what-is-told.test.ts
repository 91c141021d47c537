import { expect, it } from 'vitest';
import { httpError, isInside } from '../../../src/hub/http-error.ts';
import { storeError } from '../../../src/ledger/engine/store-error.ts';
import { FermataError } from '../../../src/schema/error.ts';

it('only the terminal learns where the ledger is and who owns it (HUB-3)', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' });
  const error = storeError(refused, 'postgres://hub:…@10.0.0.5/fermata');
  expect(isInside(error)).toBe(true);
  const { status, body } = httpError(error);
  expect(status).toBe(503);
  expect(body.error).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/try again/) });
  expect(JSON.stringify(body)).not.toMatch(/10\.0\.0\.5|postgres|hub:/);
  const full = new FermataError('busy', 'There are 10000 sockets open, which is the limit. Try again later.');
  expect([isInside(full), httpError(full).body.error.message]).toEqual([false, full.message]);
});
