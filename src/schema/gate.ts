import * as z from 'zod';
import { limits } from './limits.ts';
import { SeenContent } from './seen-content.ts';

/** What a human gate is about. */
export const GateKind = z.enum(['testing', 'variants', 'logging', 'findings', 'plan']);
export type GateKind = z.infer<typeof GateKind>;

/** Something to look at before answering: of one variant, or of all. */
export const GateMaterial = z.strictObject({
  kind: z.enum(['diff', 'gates', 'verbatim', 'walkthrough', 'text']),
  title: z.string().max(limits.header),
  /** If it is cut, its first line says so. */
  text: z.string().max(limits.context),
  variant: z.string().max(limits.id).optional(),
});
export type GateMaterial = z.infer<typeof GateMaterial>;

/** What makes a notification a human gate: which part of a plan waits, and the file in which a person can answer. */
export const HumanGate = z.strictObject({
  kind: GateKind,
  /** The name of the plan's folder. */
  plan: z.string().min(1).max(limits.id),
  phase: z.string().max(limits.id).optional(),
  variant: z.string().max(limits.id).optional(),
  /** A different round is a different gate: the number of recorded implementations, or a hash of the plan's content. */
  round: z.number().int().min(0),
  /** What a person could look at, by task. An answer does not cover what changed since. */
  contents: z.record(z.string().max(limits.id), SeenContent).optional(),
  /** The file that answers it with `done: true`. */
  file: z.string().max(4096),
  material: z.array(GateMaterial).max(limits.material).optional(),
});
export type HumanGate = z.infer<typeof HumanGate>;
