import { installedClaude } from './adapters/claude.ts';
import { describeDriver } from './conformance.ts';

// `npm test` has test/agents/claude/background.test.ts for it.
describeDriver(
  installedClaude('claude-2.1.325', {
    endings: ['Fermata is killed', 'interrupted'],
    inLong: ['background', 'after the answer'],
  }),
);
