/** Whether a person at this terminal can be asked. */
export const isAtTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;
