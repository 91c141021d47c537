import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandDriver } from '../../../../src/agents/command/driver.ts';
import type { DriverUnderTest } from '../plot.ts';

/** Any program: it has none of the abilities that the suite tests, and says so. */
export const command: DriverUnderTest = {
  title: 'command',
  driver: commandDriver,
  abilities: { asks: false, atOnce: false, takesBack: false, parks: false, permits: false },
  savedAfterMs: 0,
  async open() {
    const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'fermata-conformance-')));
    const program = join(cwd, 'echo-agent');
    writeFileSync(program, '#!/bin/sh\ncat\n');
    chmodSync(program, 0o755);
    return {
      setup: { cwd, env: { PATH: process.env.PATH }, program, mustAsk: false, timeoutMs: 60_000 },
      told: () => [],
      close: () => rmSync(cwd, { recursive: true, force: true }),
    };
  },
};
