import type { AgentOptions } from '../../app/choose-agent.ts';
import type { CommonOptions } from '../command.ts';
import type { TrustOptions } from '../trust/trust-options.ts';

export interface ConvertOptions extends CommonOptions, AgentOptions, TrustOptions {
  output?: string;
  maxIterations: number;
  timeout: string;
  force?: true;
  requireFidelity?: true;
}
