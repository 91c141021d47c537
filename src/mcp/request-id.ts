import * as z from 'zod';

const Numbered = z.object({ method: z.string(), id: z.union([z.string(), z.number()]) });

/** The id of a request, even if the rest of it is invalid; undefined if it is not a request. */
export function requestIdOf(message: unknown): string | number | undefined {
  return Numbered.safeParse(message).data?.id;
}
