import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AGENT_CLI_NAMES, agentCli } from '../../../scripts/agent-clis.mjs';
import { isOffline } from '../../../scripts/setup.mjs';
import { realCli } from './real-cli.ts';

describe('DRV-7: the real agent CLIs', () => {
  it.for(AGENT_CLI_NAMES)('%s is installed, and reports the pinned version', async (name, { skip }) => {
    expect(await realCli(name, skip)).toBe(agentCli(name));
  });

  it('a CLI counts as missing if only another version is installed', () => {
    const root = mkdtempSync(join(tmpdir(), 'fermata-clis-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const platform = `claude-code-${process.platform}-${process.arch}`;
    const folder = join(root, 'node_modules/@anthropic-ai', platform);
    const program = join(folder, 'claude');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "version": "2.1.197" }');

    expect(agentCli('claude-2.1.197', root)).toBeUndefined();
    writeFileSync(program, '');
    expect(agentCli('claude-2.1.197', root)).toBe(program);
    expect(agentCli('claude-2.1.325', root)).toBeUndefined();
    expect(agentCli('codex-0.166.0', root)).toBeUndefined();
  });

  it('without the network their tests are skipped; a lock file that npm refuses is a failure', () => {
    const reason = 'request to https://registry.example/x failed, reason: getaddrinfo EAI_AGAIN';
    expect(isOffline(`npm error code EAI_AGAIN\nnpm error ${reason}`)).toBe(true);
    expect(isOffline('npm error code E404\nnpm error 404 Not Found - GET https://registry.example/x')).toBe(
      true,
    );
    expect(isOffline('npm error code EUSAGE\nnpm error `npm ci` can only install packages when …')).toBe(
      false,
    );
    expect(isOffline('npm error code ENOSPC')).toBe(false);
    expect(isOffline('npm error code EINTEGRITY')).toBe(false);
  });
});
