type Env = Record<string, string | undefined>;

/** What every program may see. Everything else, above all other programs' secrets, stays here. */
const common =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TERM|COLORTERM|NO_COLOR|TMPDIR|TEMP|TMP|TZ|XDG_\w+|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS|(?:https?|all|no)_proxy|SystemRoot|ComSpec|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|SSH_AUTH_SOCK|GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)|GIT_SSH|GIT_SSH_COMMAND|GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|EDITOR|IS_SANDBOX)$/i;

/** The environment of an agent: the common part, what this kind of agent needs, and our own additions. */
export function agentEnvironment(env: Env, needed: RegExp, additions: Env): NodeJS.ProcessEnv {
  const allowed = Object.entries(env).filter(([name]) => common.test(name) || needed.test(name));
  return { ...Object.fromEntries(allowed), ...additions };
}
