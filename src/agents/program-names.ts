/** The names of this program: its own, and those of the programs whose commands it accepts. */
export const programNames = ['fermata', 'debussy', 'envoy', 'rslph'] as const;
