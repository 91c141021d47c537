import { installedClaude } from './adapters/claude.ts';
import { describeDriver } from './conformance.ts';

describeDriver(
  installedClaude('claude-2.1.197', {
    endings: ['nobody answers', 'the agent is killed', 'stopped'],
    inLong: ['background', 'outage while asking'],
  }),
);
