import { expect, it } from 'vitest';
import { freshFolder } from '../../support/fermata.ts';
import { testHub } from '../support/hub.ts';

const wrong: [method: string, path: string, body: unknown, message: string][] = [
  [
    'PATCH',
    'settings',
    {},
    'Body, field hilConfig: it must be a preset (confirm_all, major_only, full) or some of the levels, as in {"scopeChanges":"automated"}.',
  ],
  ['PATCH', 'settings', { hilConfig: { a: 1 } }, 'Body, field hilConfig: "a" is not a known field.'],
  [
    'PATCH',
    'settings',
    { hilConfig: { scopeChanges: 'x' } },
    'Body, field hilConfig.scopeChanges: it must be one of automated, notify_and_proceed, requires_approval.',
  ],
  ['POST', 'tasks', undefined, 'Body: it is missing.'],
  ['POST', 'tasks', [], 'Body: it must be an object.'],
  ['POST', 'tasks', {}, 'Body, field title: it is missing.'],
  ['POST', 'tasks', { title: 5 }, 'Body, field title: it must be a string.'],
  ['POST', 'tasks', { title: '' }, 'Body, field title: it is empty.'],
  ['POST', 'tasks', { title: 'x'.repeat(1001) }, 'Body, field title: it is longer than 1000 characters.'],
  ['POST', 'tasks', { title: 'x', priority: 1.5 }, 'Body, field priority: it must be a whole number.'],
  ['POST', 'tasks/t1/claim', { leaseSeconds: 0 }, 'Body, field leaseSeconds: it must be more than 0.'],
  ['POST', 'runs/r/events', { fence: 1, steps: 'x' }, 'Body, field steps: it must be a list.'],
  ['PATCH', 'runs/r', {}, 'Body, field status: it is missing: give one of running, waiting, ended.'],
  ['PATCH', 'notifications/n', { responses: [] }, 'Body, field responses: it is empty.'],
  ['PATCH', 'notifications/n', { dismissed: true }, 'Body, field reason: it is missing.'],
  ['PATCH', 'notifications/n', { approved: 'yes' }, 'Body, field approved: it must be true or false.'],
];

it('errors in a request are described in the terms of the API, not of a library (HUB-1)', async () => {
  const hub = await testHub({ place: `${freshFolder('messages')}/ledger.db` });
  const { id } = (await hub.call('POST', '/projects', { root: freshFolder('messages') })).body.data;
  for (const [method, path, body, message] of wrong) {
    const refused = await hub.call(method, `/projects/${id}/${path}`, body);
    expect({ status: refused.status, message: refused.body.error.message }).toEqual({ status: 400, message });
  }
  for (const body of [undefined, {}, { name: 'x' }])
    expect((await hub.call('POST', '/session', body)).body.error.message).toBe(
      'Body: it must be {"code":"…"} (from the login link, after "#login="), or {"token":"…"}.',
    );
});
