/** An ability that names one machine and home, where the project's own folder is. */
export const isHere = (needs: readonly string[]): boolean => needs.some((need) => need.startsWith('here-'));
