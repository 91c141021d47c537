import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { type AGENT_CLI_NAMES, agentCli } from '../../../scripts/agent-clis.mjs';
import { isLong } from '../../support/long.ts';
import { clisInstalled } from './installed.ts';

export type RealCliName = (typeof AGENT_CLI_NAMES)[number];
/** The oldest that is supported, and the newest. */
export const CLAUDES = ['claude-2.1.197', 'claude-2.1.325'] as const satisfies RealCliName[];
export const CODEX = 'codex-0.166.0' satisfies RealCliName;
export const CODEXES = ['codex-0.115.0', CODEX] as const satisfies RealCliName[];

/** `npm test` runs a part of the conformance suite with each, and everything else with the newest; test:long runs all with both. */
const newestOrBoth = <T>(both: readonly [T, T]): T[] => (isLong ? [...both] : both.slice(-1));
export const CLAUDE_NOW = newestOrBoth(CLAUDES);
export const CODEX_NOW = newestOrBoth(CODEXES);
/** For behaviour that `npm test` shows with a stand-in; only test/long repeats it with the real program. */
export const CLAUDE_IN_LONG = isLong ? CLAUDES : [];
export const CODEX_IN_LONG = isLong ? CODEXES.slice(-1) : [];

/**
 * The path of a real agent CLI, after checking its version; throws if that is not the pinned one. If it is not installed, the test is skipped and says why.
 *
 * @example
 * it('…', async ({ skip }) => { const claude = await realCli('claude-2.1.325', skip); … });
 */
export async function realCli(name: RealCliName, skip: (note: string) => never): Promise<string> {
  await clisInstalled();
  const path = agentCli(name);
  if (path === undefined)
    return skip(
      `${name} is not installed: npm could not be asked for it, or has none for ${process.platform} on ${process.arch}. \`npm test\` tries again.`,
    );
  const said = await printedBy(path);
  const expected = printedVersion(name);
  if (said !== expected) throw new Error(`${path} says "${said}" instead of "${expected}".`);
  return path;
}

function printedVersion(name: RealCliName): string {
  const [agent, version] = name.split('-');
  return agent === 'codex' ? `codex-cli ${version}` : `${version} (Claude Code)`;
}

const printed = new Map<string, Promise<string>>();

function printedBy(path: string): Promise<string> {
  const known = printed.get(path) ?? versionOf(path);
  printed.set(path, known);
  return known;
}

async function versionOf(path: string): Promise<string> {
  const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: '/nonexistent' };
  const { stdout } = await promisify(execFile)(path, ['--version'], { env, timeout: 50_000 });
  return stdout.trim();
}
