const trunks = new Set(['main', 'master', 'trunk', 'develop']);

/** Branches that nobody wants agents to merge into by themselves: each plan gets one of its own there. */
export const isTrunk = (branch: string) => trunks.has(branch);
