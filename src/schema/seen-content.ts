import * as z from 'zod';
import { limits } from './limits.ts';

const hash = z.string().max(limits.id);

/** The files that a person or a reviewer saw. */
export const SeenContent = z.strictObject({
  /** A hash of all of them. */
  files: hash,
  /** The same after our clean-up of debug logs; absent if they have none. */
  cleaned: hash.optional(),
});
export type SeenContent = z.infer<typeof SeenContent>;

/** Whether files with this hash are those that were seen, except for debug logs that our clean-up removed. */
export const covers = ({ files, cleaned }: SeenContent, content: string): boolean =>
  content === files || content === cleaned;
