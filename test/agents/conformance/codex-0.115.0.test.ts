import { installedCodex } from './adapters/codex.ts';
import { describeDriver } from './conformance.ts';

describeDriver(
  installedCodex('codex-0.115.0', ['broken off', 'background', 'outage while asking', 'after the answer']),
);
