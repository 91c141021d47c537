export const ann = { actor: { kind: 'person', name: 'ann' }, channel: 'web' };
export const claude = { actor: { kind: 'agent', name: 'claude' }, channel: 'agent' };
export const codex = { actor: { kind: 'agent', name: 'codex' }, channel: 'agent' };

/** Longer than it takes to take the pictures, so that nobody takes over what an agent holds. */
export const LEASE_SECONDS = 24 * 60 * 60;
