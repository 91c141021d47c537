import { expect } from 'vitest';
import type { TestStore } from '../../ledger/support/test-store.ts';
import { type TestHub, testHub } from './hub.ts';

export const question = {
  source: 'plan',
  sourceId: 'login',
  questions: [{ id: 'q1', text: 'Which database?' }],
};

/** A hub on a fresh project; `at` is the path of that. */
export async function startHubOn(
  store: Pick<TestStore, 'place' | 'start'>,
  options: Parameters<typeof testHub>[1] = {},
) {
  const { ledger, project } = await store.start();
  const hub = await testHub(store, options);
  return { ledger, project, hub, at: `/projects/${project}` };
}

export async function tokenFor(hub: TestHub, role: 'agent' | 'human', projectId?: string) {
  const made = await hub.call('POST', '/tokens', { name: `${role}-${Math.random()}`, role, projectId });
  expect(made.status).toBe(201);
  const { id, secret, name } = made.body.data;
  return { id, secret, name, headers: { authorization: `Bearer ${secret}` } };
}
