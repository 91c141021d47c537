// Finds the real agent CLIs of the tests. Has no dependencies, because setup runs it before anything is installed.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** They have their own package.json and lock file, so that only the tests download them. */
export const AGENT_CLIS = fileURLToPath(new URL('../test/agents/clis', import.meta.url));

export const AGENT_CLI_NAMES = /** @type {const} */ ([
  'claude-2.1.197',
  'claude-2.1.325',
  'codex-0.115.0',
  'codex-0.166.0',
]);

/**
 * @param {(typeof AGENT_CLI_NAMES)[number]} name
 * @returns {string | undefined} the program as a person starts it; undefined if it is not installed
 */
export function agentCli(name, root = AGENT_CLIS) {
  const [agent, version] = name.split('-');
  const wrapper = join(root, 'node_modules', name);
  const program = agent === 'codex' ? codex(wrapper, version) : claude(wrapper, version);
  return program && existsSync(program) ? program : undefined;
}

export function missingAgentClis(root = AGENT_CLIS) {
  return AGENT_CLI_NAMES.filter((name) => agentCli(name, root) === undefined);
}

/** The native program of the package in this folder. Claude's own install script would only copy it. */
export function claude(wrapper, version) {
  const folder = platformFolder(wrapper, '@anthropic-ai/claude-code', version);
  return folder && join(folder, 'claude');
}

/** The wrapper that npm links as `codex`, because people start that one and signals have to pass through it. */
export function codex(wrapper, version) {
  return platformFolder(wrapper, '@openai/codex', version) && join(wrapper, 'bin/codex.js');
}

/** The package for this platform, which npm puts into the wrapper or next to it (where another version's may be). */
function platformFolder(wrapper, prefix, version) {
  const require = createRequire(join(wrapper, 'package.json'));
  for (const libc of ['', '-musl']) {
    try {
      const file = require.resolve(`${prefix}-${process.platform}-${process.arch}${libc}/package.json`);
      const found = JSON.parse(readFileSync(file, 'utf8')).version;
      if (found === version || found.startsWith(`${version}-`)) return dirname(file);
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return undefined;
}
