import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';
import { claude as claudeIn, codex as codexIn } from '../../scripts/agent-clis.mjs';
import { isOffline } from '../../scripts/setup.mjs';
import { claude } from '../agents/conformance/adapters/claude.ts';
import { codex } from '../agents/conformance/adapters/codex.ts';
import { describeDriver } from '../agents/conformance/conformance.ts';

interface Release {
  name: string;
  package: string;
  version: string;
  programIn(wrapper: string, version: string): string | undefined;
}

/** Between the oldest and the newest version of each program that `npm test` installs. HEAR-11 */
for (const version of ['2.1.250', '2.1.310']) {
  const name = `claude-${version}`;
  const release = { name, package: '@anthropic-ai/claude-code', version, programIn: claudeIn };
  describeDriver(claude(name, installer(release)));
}
for (const version of ['0.132.0', '0.149.0']) {
  const name = `codex-${version}` as const;
  const release = { name, package: '@openai/codex', version, programIn: codexIn };
  describeDriver(codex(name, installer(release)));
}

/** Installs it once into a folder of its own, which is removed after all tests. */
function installer(release: Release): (skip: (note: string) => never) => Promise<string> {
  let installed: Promise<string | undefined> | undefined;
  const folder = mkdtempSync(join(tmpdir(), `fermata-${release.name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return async (skip) => {
    installed ??= installIn(folder, release);
    return (await installed) ?? skip(`${release.name} is not installed: npm could not be asked for it.`);
  };
}

async function installIn(folder: string, release: Release): Promise<string | undefined> {
  writeFileSync(join(folder, 'package.json'), '{}');
  const args = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `${release.package}@${release.version}`,
  ];
  try {
    await promisify(execFile)('npm', args, { cwd: folder });
  } catch (error) {
    if (isOffline(String((error as { stderr?: string }).stderr))) return undefined;
    throw error;
  }
  return release.programIn(join(folder, 'node_modules', release.package), release.version);
}
