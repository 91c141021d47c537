import { script } from '@bomb.sh/tab';
import { Argument, type Command } from 'commander';
import type { CommonOptions } from '../command.ts';
import { print, printJson } from '../output.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'];

export function define(command: Command): void {
  command
    .description('Print a script that lets your shell complete commands, options and ids of open questions.')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .addHelpText(
      'after',
      `
Example:
  fermata completion bash

Set it up once:
  bash        echo 'source <(fermata completion bash)' >> ~/.bashrc
  zsh         echo 'source <(fermata completion zsh)' >> ~/.zshrc        (after compinit)
  fish        fermata completion fish > ~/.config/fish/completions/fermata.fish
  powershell  fermata completion powershell >> $PROFILE`,
    )
    .action(async (shell: string, { format }: CommonOptions) => {
      const name = command.parent?.name() ?? 'fermata';
      const text = shell === 'bash' ? bashScript(name) : scriptFromLibrary(shell, name);
      await (format === 'json' ? printJson({ shell, script: text }) : print(text));
    });
}

/** The library can only write its scripts to the console. */
function scriptFromLibrary(shell: string, name: string): string {
  const { log } = console;
  let text = '';
  console.log = (said: string) => {
    text += said;
  };
  try {
    script(shell, name, name);
  } finally {
    console.log = log;
  }
  return text;
}

/**
 * Our own, because the script of @bomb.sh/tab needs the bash-completion package, cannot be sourced twice and evaluates
 * what was typed. Works with bash 3.2 and later.
 */
function bashScript(name: string): string {
  return `# bash completion for ${name}: source <(${name} completion bash)
_${name}_complete() {
  local words=() word line
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    # Bash cuts --format=json into three words.
    if [[ \${#words[@]} -gt 0 && ( $word == = || \${words[\${#words[@]}-1]} == --*= ) ]]; then
      words[\${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
  done
  COMPREPLY=()
  while IFS= read -r line; do
    [[ $line == :* || -z $line ]] || COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(${name} complete -- "\${words[@]}" 2>/dev/null)
}
complete -F _${name}_complete ${name}`;
}
