import { shellWords } from '../shell-words.ts';

/** A command as Codex reports it, in the format of other agents: without the shell around it. */
export function shellCommand({ command, cwd, reason }: Record<string, unknown>) {
  return {
    command: inShell(String(command ?? '')),
    ...(typeof cwd === 'string' ? { cwd } : {}),
    ...(typeof reason === 'string' ? { description: reason } : {}),
  };
}

/** `/bin/bash -c 'git add --all'` runs `git add --all`. A command of another form is not changed. */
function inShell(command: string): string {
  const [shell = '', option = '', inner, ...rest] = shellWords(command) ?? [];
  const wrapped = /(?:^|\/)(?:ba|da|z|k)?sh$/.test(shell) && /^-l?c$/.test(option) && rest.length === 0;
  return wrapped && inner !== undefined ? inner : command;
}
