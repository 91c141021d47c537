import { quoted } from '../../schema/command-line.ts';

/** Marks a hook as ours. */
export const OURS = '# Written by "fermata hooks install".';

/**
 * Git's post-checkout hook. It calls this installation by its absolute path and runs nothing from the repository. A
 * failure never affects the checkout. It prints nothing for agents of a run, which are recognised by their door.
 */
export function checkoutHook(command: readonly string[]): string {
  return `#!/bin/sh
${OURS} It prints the plan's progress when you switch to a phase's branch.
[ "$3" = 1 ] && [ -z "$FERMATA_DOOR" ] || exit 0
case "$(git symbolic-ref --quiet --short HEAD)" in
  *--implementation-*) ${hookLine(command)} ;;
esac
exit 0
`;
}

/** The line to add to an existing hook. */
export const hookLine = (command: readonly string[]) =>
  `${[...command, 'hooks', 'show'].map(quoted).join(' ')} || true`;
