import type { Command } from 'commander';

/** A command's module is loaded only when it is used, so that the others cost nothing at start. */
export interface CommandEntry {
  name: string;
  /** Its heading in the overview. */
  group: (typeof groups)[number];
  summary: string;
  load(): Promise<{ define(command: Command): void }>;
}

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

/** The headings of the overview, in this order. */
export const groups = ['Start here:', 'Questions:', 'Work:', 'Settings:'] as const;
