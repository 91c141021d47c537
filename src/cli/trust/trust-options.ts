import type { Command } from 'commander';
import type { TrustOptions as Trusting } from '../../work/trust/require-trust.ts';

/** The options of every command that runs or follows contents of a repository. */
export interface TrustOptions extends Trusting {
  /** Whether to ask in this terminal, if there is one. */
  prompt?: boolean;
}

export function withTrustOption(command: Command): Command {
  return command.option('--trust', "trust the repository's files without asking (FERMATA_TRUST=1 in CI)");
}
