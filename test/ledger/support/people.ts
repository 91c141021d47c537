import type { By } from '../../../src/schema/actor.ts';

export const ann: By = { actor: { kind: 'person', name: 'ann' }, channel: 'terminal' };
export const bob: By = { actor: { kind: 'person', name: 'bob' }, channel: 'command' };
export const coder: By = { actor: { kind: 'agent', name: 'coder-1' }, channel: 'agent' };
