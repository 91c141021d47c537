import { FermataError } from '../../schema/error.ts';
import { isStoreUnreachable } from './store-error.ts';

/**
 * The result of `work`, or the error `unavailable` if it takes longer than `ms`. The error does not reveal where the store is.
 * `onTooLate` returns whether the work may still be stored, so that the error can say so.
 */
export async function failAfter<T>(
  work: Promise<T>,
  ms: number,
  onTooLate: () => boolean = () => false,
): Promise<T> {
  let alarm: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    alarm = setTimeout(() => reject(storeUnavailable(onTooLate())), ms);
  });
  try {
    return await Promise.race([work, tooLate]);
  } catch (error) {
    throw isStoreUnreachable(error) ? storeUnavailable(false) : error;
  } finally {
    clearTimeout(alarm);
  }
}

const storeUnavailable = (mayBeStored: boolean) =>
  new FermataError(
    'unavailable',
    mayBeStored
      ? 'The store is unavailable, and it is unknown whether this was stored. Check before you try again.'
      : 'The store is unavailable. Nothing was changed; try again in a moment.',
  );
