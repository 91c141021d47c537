import { installedCodex } from './adapters/codex.ts';
import { describeDriver } from './conformance.ts';

// `npm test` has test/agents/codex/threads-real.test.ts and test/agents/codex/resume-real.test.ts for it.
describeDriver(
  installedCodex('codex-0.166.0', {
    endings: ['Fermata is killed', 'interrupted'],
    inLong: ['background', 'after the answer'],
  }),
);
