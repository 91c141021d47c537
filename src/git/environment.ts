import { delimiter, isAbsolute } from 'node:path';

/** Git variables that a person may set; anything else, such as a hook's GIT_DIR, would point elsewhere. */
const kept =
  /^GIT_(CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM|EXEC_PATH|TEMPLATE_DIR|(AUTHOR|COMMITTER)_(NAME|EMAIL))$/;

/** The environment of git: this process's own, without anything that points at another repository, and without prompts. */
export function gitEnvironment(env: Record<string, string | undefined>): NodeJS.ProcessEnv {
  const inherited = Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || kept.test(name));
  return {
    ...Object.fromEntries(inherited),
    PATH: absoluteOnly(env.PATH),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_EDITOR: ':',
    GIT_PAGER: 'cat',
    // Reading never takes a lock that would disturb other work in the same checkout.
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
    LANGUAGE: '',
  };
}

/** Git runs in agents' folders, where a relative or empty entry would find the agents' programs. */
function absoluteOnly(path = ''): string {
  const entries = path.split(delimiter).filter((entry) => isAbsolute(entry));
  return entries.join(delimiter) || '/usr/bin:/bin';
}
