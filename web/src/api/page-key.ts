/**
 * The half of our session in this origin's storage. The cookie has the other half; browsers send it to every port of this
 * host, so it proves nothing alone.
 */
const NAME = 'fermata.page-key';

export const pageKey = (): string | null => localStorage.getItem(NAME);

export const keepPageKey = (key: string): void => localStorage.setItem(NAME, key);

export const dropPageKey = (): void => localStorage.removeItem(NAME);
