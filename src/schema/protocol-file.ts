import * as z from 'zod';

/** A protocol, or what it changes in another: `.claude/protocols/NAME.yaml`. */
export const ProtocolFile = z.looseObject({
  name: z.string().min(1).optional().describe('The name of the file, without .yaml.'),
  description: z.string().optional().describe('The purpose of the protocol, in one line.'),
  extends: z.string().nullable().optional().describe('The protocol that this one builds on.'),
  inputs: z
    .array(
      z.looseObject({
        name: z.string().min(1),
        type: z.string().optional(),
        optional: z.boolean().optional(),
        description: z.string().optional(),
      }),
    )
    .nullable()
    .optional()
    .describe('What the agent is given. Absent or null: those of the protocol that this one extends.'),
  outputs: z
    .array(z.looseObject({ value: z.string().min(1), description: z.string().optional() }))
    .nullable()
    .optional()
    .describe('What the agent returns. Absent or null: those of the protocol that this one extends.'),
  steps: z
    .union([
      z.record(
        z
          .string()
          .regex(/^\s*\d+(\.0*[1-9]\d*)*\s*(?:\+\s*)?$/)
          .describe('7 replaces, 7+ appends to, 7.1 is inserted after what the extended protocol has.'),
        z.string().regex(/\S/),
      ),
      z.array(z.string().regex(/\S/)),
    ])
    .nullable()
    .optional()
    .describe('What the agent does. "step 7" in a text means the step with that key.'),
});
