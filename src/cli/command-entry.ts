import type { Command } from 'commander';

/** A command's module is loaded only when it is used, so that the others cost nothing at start. */
export interface CommandEntry {
  name: string;
  /** Its heading in the overview. */
  group: (typeof groups)[number];
  summary: string;
  load(): Promise<{ define(command: Command): void }>;
}

/** The headings of the overview, in this order. */
export const groups = ['Start here:', 'Questions:', 'Work:', 'Settings:'] as const;
