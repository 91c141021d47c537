const trunks = new Set(['main', 'master', 'trunk', 'develop']);

/** Branches that agents should not merge into by themselves; each plan gets its own branch there. */
export const isTrunk = (branch: string) => trunks.has(branch);
