import { installedCodex } from './adapters/codex.ts';
import { describeDriver } from './conformance.ts';

describeDriver(
  installedCodex('codex-0.115.0', {
    endings: ['nobody answers', 'the agent is killed', 'stopped'],
    inLong: ['background', 'outage while asking', 'after the answer'],
  }),
);
