import { installedClaude } from './adapters/claude.ts';
import { describeDriver } from './conformance.ts';

describeDriver(
  installedClaude('claude-2.1.197', ['broken off', 'background', 'outage while asking', 'after the answer']),
);
