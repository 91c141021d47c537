import { FermataError } from '../../schema/error.ts';
import { isAway } from './store-error.ts';

/** How long a caller in a hurry waits. */
export const HURRY_MS = 2000;

/** The result of `work`, or the error `unavailable` if it takes too long. The error does not reveal where the store is. */
export async function inAHurry<T>(work: Promise<T>, ms = HURRY_MS, onTooLate?: () => void): Promise<T> {
  let alarm: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    alarm = setTimeout(() => {
      onTooLate?.();
      reject(storeIsAway());
    }, ms);
  });
  try {
    return await Promise.race([work, tooLate]);
  } catch (error) {
    throw isAway(error) ? storeIsAway() : error;
  } finally {
    clearTimeout(alarm);
  }
}

const storeIsAway = () =>
  new FermataError(
    'unavailable',
    'The store is unavailable. Nothing was confirmed; it is safe to try again in a moment.',
  );
