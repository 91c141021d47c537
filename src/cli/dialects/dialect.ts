import type { Command } from 'commander';
import type { CommandEntry } from '../command-entry.ts';

/** What one of our other names adds: the words of the program that had the name before. */
export interface Dialect {
  /** Commands of its own; one with the name of ours takes its place. */
  commands: CommandEntry[];
  /** Gives one of our commands its options. */
  adapt(command: Command): void;
}
