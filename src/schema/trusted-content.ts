import * as z from 'zod';
import { By } from './actor.ts';

/** Text from a repository that steers agents or is run, as a person accepted it. */
export const TrustedContent = z.object({
  projectId: z.string(),
  /** What it is: `config`, `protocol:NAME`, `prompt:NAME`, `template:NAME`, `plan:NAME`. */
  name: z.string().min(1).max(300),
  /** SHA-256 of `content`, in hex. */
  hash: z.string(),
  content: z.string().max(4 * 1024 * 1024),
  by: By,
  at: z.string(),
});
export type TrustedContent = z.infer<typeof TrustedContent>;

export const TrustedContentInput = TrustedContent.pick({ name: true, content: true });
export type TrustedContentInput = z.infer<typeof TrustedContentInput>;
