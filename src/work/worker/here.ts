/** The ability that only the worker in this home has: it has the project's own folder. */
export const hereIn = (home: string): string => `here-${home}`.slice(0, 50);

export const isHere = (needs: readonly string[]): boolean => needs.some((need) => need.startsWith('here-'));
