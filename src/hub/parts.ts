import type { Ledger } from '../ledger/ledger.ts';
import type { AllowedHosts } from './auth/allowed-hosts.ts';
import type { AuthConfig } from './auth/authenticate.ts';
import type { LinkKey } from './links/answer-link.ts';
import type { OpenCalls } from './mcp/open-calls.ts';
import type { Metrics } from './metrics.ts';
import type { HubWork } from './work.ts';

export interface HubParts {
  /** For requests: calls fail soon while the store is unavailable. */
  ledger: Ledger;
  /** For calls that wait for a person anyway. */
  patientLedger: Ledger;
  auth: AuthConfig;
  allowed: AllowedHosts;
  /** The folder of the built page. */
  web: string;
  /** Signs the links that answer one question. */
  linkKey: LinkKey;
  metrics: Metrics;
  mcpCalls: OpenCalls;
  work: HubWork;
  /** How many sockets are open. */
  sockets(): number;
  /** Called with internal errors. */
  report(error: unknown): void;
}
