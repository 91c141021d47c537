import { script } from '@bomb.sh/tab';
import { Argument, type Command } from 'commander';
import { bashScript } from '../completion/bash-script.ts';
import { print } from '../output.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'];

export function define(command: Command): void {
  command
    .description('Print a script that lets your shell complete commands, options and ids of open questions.')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .addHelpText(
      'after',
      `
Set it up once:
  bash        echo 'source <(fermata completion bash)' >> ~/.bashrc
  zsh         echo 'source <(fermata completion zsh)' >> ~/.zshrc        (after compinit)
  fish        fermata completion fish > ~/.config/fish/completions/fermata.fish
  powershell  fermata completion powershell >> $PROFILE`,
    )
    .action(async (shell: string) => {
      const name = command.parent?.name() ?? 'fermata';
      if (shell === 'bash') await print(bashScript(name));
      else script(shell, name, name);
    });
}
