import type { Command } from 'commander';
import type { CommandEntry } from '../command-entry.ts';

/**
 * What one of our other names adds: the commands and options of the program that had the name before. It has no behaviour
 * of its own, so exit codes and JSON are the same under every name.
 */
export interface Dialect {
  /** Extra commands; one with the same name as a Fermata command replaces it. */
  commands: CommandEntry[];
  /** Adds its options to one of our commands. */
  adapt(command: Command): void;
}
