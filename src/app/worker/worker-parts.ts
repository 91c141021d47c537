import type { Settings } from '../../config/settings.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { By } from '../../schema/actor.ts';
import type { Report } from '../report.ts';

/** What a worker works with. */
export interface WorkerParts {
  ledger: Ledger;
  settings: Settings;
  env: Record<string, string | undefined>;
  /** Who started it: in their name it claims tasks. What it does is in the name of whoever asked for it. */
  who: By;
  report(event: Report): void;
}
