import type { Dialect } from './dialect.ts';

const dialects: Record<string, () => Promise<Dialect>> = {
  debussy: async () => (await import('./debussy.ts')).debussy,
  rslph: async () => (await import('./rslph.ts')).rslph,
};

export async function dialectOf(name: string): Promise<Dialect> {
  return (await dialects[name]?.()) ?? { commands: [], adapt: () => undefined };
}
