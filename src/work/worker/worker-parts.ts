import type { Settings } from '../../config/settings.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { By } from '../../schema/actor.ts';
import type { Report } from '../report.ts';

export interface WorkerParts {
  ledger: Ledger;
  settings: Settings;
  env: Record<string, string | undefined>;
  /** The person who started it, in whose name it claims tasks. It acts on behalf of whoever queued the work. */
  who: By;
  report(event: Report): void;
}
