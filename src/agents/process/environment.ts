import type { AgentSetup } from '../driver.ts';

type Env = Record<string, string | undefined>;

/** What every program may see. Everything else stays here, above all the secrets of other programs. */
const common =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|TMPDIR|TEMP|TMP|TZ|XDG_\w+|SSL_CERT_\w+|(?:https?|all|no)_proxy|GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)|GIT_SSH|GIT_SSH_COMMAND|GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|EDITOR|IS_SANDBOX)$/i;

/** What builds and tests read to find their compilers, caches and browsers. */
const builds =
  /^(CI|NODE_\w+|npm_config_\w+|COREPACK_\w+|(?:NVM|VOLTA|PNPM|BUN|DENO|JAVA|GRADLE_USER|MAVEN|ANDROID|CARGO|RUSTUP|GEM|PYENV|POETRY|CONDA|MISE|ASDF)_(?:HOME|DIR|ROOT|PREFIX|SDK_ROOT|DATA_DIR|INSTALL)|M2_HOME|DOTNET_ROOT|GO(?:PATH|ROOT|BIN|CACHE|MODCACHE|FLAGS|TOOLCHAIN|ENV|OS|ARCH)|CGO_ENABLED|RUSTFLAGS|CC|CXX|AR|LD|[A-Z]*FLAGS|PKG_CONFIG_PATH|(?:LD|DYLD)_LIBRARY_PATH|C_INCLUDE_PATH|CPLUS_INCLUDE_PATH|LIBRARY_PATH|SDKROOT|DEVELOPER_DIR|PYTHON(?:PATH|HOME|WARNINGS|UNBUFFERED|DONTWRITEBYTECODE)|VIRTUAL_ENV|GEM_PATH|BUNDLE_(?:PATH|GEMFILE)|RBENV_\w+|CHROME_(?:BIN|PATH)|PLAYWRIGHT_BROWSERS_PATH|PUPPETEER_EXECUTABLE_PATH|SOURCE_DATE_EPOCH)$/;

/** npm keeps registry logins among its settings. */
const secret = /auth|token|passw|secret|^npm_config_(?:cert|key)$/i;

/** Never passed on, whatever the person lists: the location of the ledger, and on whose behalf a process acts. */
const ours = /^(?:FERMATA|DEBUSSY)_/i;

/** The environment of an agent: the common part, what this kind of agent needs, and our own additions. */
export function agentEnvironment(
  { env, passes, identity }: Pick<AgentSetup, 'env' | 'passes' | 'identity'>,
  needed: RegExp,
  additions: Env = {},
): NodeJS.ProcessEnv {
  return { ...allowed(env, passes, needed), ...additions, ...identity };
}

/** The environment of a gate command. It runs code that agents wrote, so nothing in it may act for the person. */
export function gateEnvironment(env: Env, passes: readonly string[] | undefined): NodeJS.ProcessEnv {
  return { ...allowed(env, passes, /^$/), FERMATA_AGENT: env.FERMATA_AGENT || 'gate command' };
}

function allowed(env: Env, passes: readonly string[] = [], needed: RegExp): Env {
  const isListed = (name: string) =>
    passes.some((pass) => (pass.endsWith('*') ? name.startsWith(pass.slice(0, -1)) : name === pass));
  const isForBuilds = (name: string) => builds.test(name) && !secret.test(name);
  const isAllowed = (name: string) =>
    !ours.test(name) && (common.test(name) || isForBuilds(name) || needed.test(name) || isListed(name));
  // Bash takes our socket on stdin for a remote login, and runs the person's ~/.bashrc first if SHLVL is missing, below 1,
  // or so high that bash resets it.
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => isAllowed(name))), SHLVL: '1' };
}
