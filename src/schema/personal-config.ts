import * as z from 'zod';
import { AutonomyLevel } from './autonomy.ts';

const VariableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*\*?$/, 'use the name of a variable, such as MY_TOKEN, or MY_* for several')
  .max(200);

const Folder = z
  .string()
  .max(4000)
  .regex(/^(?:\/|~\/)/, 'use a path that starts with / or ~/');

/** The person's own `config.json`, next to the ledger: what no repository may set. Every key is optional. */
export const PersonalConfig = z.strictObject({
  $schema: z.string().optional().describe('The JSON Schema of this file, for editors.'),
  agentEnvironment: z
    .array(VariableName)
    .max(200)
    .optional()
    .describe('More environment variables to pass to agents and gate commands: ["MY_TOKEN", "MY_*"].'),
  sandbox: z
    .strictObject({
      read: z.array(Folder).max(100).optional().describe('Files and folders that it can read.'),
      write: z.array(Folder).max(100).optional().describe('Files and folders that it can change.'),
    })
    .optional()
    .describe(
      'What agents and gate commands can access in a sandbox ("fermata run --sandbox") besides the worktree.',
    ),
  remote: z
    .string()
    .regex(/^\w[\w./-]{0,199}$/, 'use the name of a git remote, or none')
    .optional()
    .describe(
      'The git remote through which clones exchange commits; "none" turns it off. Default: origin if the ledger is in PostgreSQL, otherwise none.',
    ),
  steeringChanges: AutonomyLevel.optional().describe(
    'What happens when a phase changes files that run programs or steer agents. Default: requires_approval.',
  ),
});
export type PersonalConfig = z.infer<typeof PersonalConfig>;
