/** A person sits at this terminal and can be asked here. */
export const isAtTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;
