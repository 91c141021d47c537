import * as z from 'zod';
import { nameOf } from './name.ts';

/** `human` may do everything; `agent` may ask, work on tasks, and read its own answers, but never answer. */
export const Role = z.enum(['human', 'agent']);
export type Role = z.infer<typeof Role>;

/** Who sent a request. */
export const Identity = z.object({
  name: z.string(),
  role: Role,
  /** The one project that it may see; null for all. */
  projectId: z.string().nullable(),
});
export type Identity = z.infer<typeof Identity>;

export const Token = Identity.extend({ id: z.string(), createdAt: z.string() });
export type Token = z.infer<typeof Token>;

export const TokenInput = z.strictObject({
  name: nameOf(100),
  role: Role,
  projectId: z.string().optional(),
});
export type TokenInput = z.infer<typeof TokenInput>;
