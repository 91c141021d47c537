import * as z from 'zod';
import { AutonomyLevel, AutonomyPreset } from './autonomy.ts';

/** A server that turns texts into vectors, for `fermata knowledge`. Its key is never in a file. */
export const EmbedderConfig = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !url.includes('@'), 'a password does not belong here: use FERMATA_EMBEDDER_KEY')
    .describe('Where it answers as OpenAI does: http://localhost:11434/v1/embeddings'),
  model: z.string().min(1).describe("The model's name there."),
});

/** `fermata.config.json`. Every key is optional; `fermata config` shows what applies and where it comes from. */
export const Config = z.strictObject({
  $schema: z.string().optional().describe('Where the JSON Schema of this file is, for editors.'),
  project: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/, 'use letters, digits and . _ / - (at most 100 characters)')
    .optional()
    .describe(
      "The project's name on a shared store. Default: owner/name of the git remote, else the folder's name.",
    ),
  hilConfig: z
    .union([
      AutonomyPreset,
      z.strictObject({
        scopeChanges: AutonomyLevel.optional(),
        architectureDecisions: AutonomyLevel.optional(),
        dependencyModifications: AutonomyLevel.optional(),
      }),
    ])
    .optional()
    .describe(
      'When agents must ask: a preset (confirm_all, major_only, full), or a level for each kind of change.',
    ),
  reviewer: z
    .strictObject({
      agent: z
        .enum(['gemini', 'claude', 'claude-mcp', 'claude-text', 'codex', 'scripted'])
        .describe('Which agent reviews.'),
      model: z.string().min(1).max(200).optional().describe("The model, in the agent's own words."),
    })
    .optional()
    .describe('Who reviews what was made in a phase ("fermata review"). Default: gemini.'),
  embedder: EmbedderConfig.optional().describe(
    'Your own server on this machine for searching documents by meaning. One elsewhere is named in FERMATA_EMBEDDER_URL.',
  ),
});
export type Config = z.infer<typeof Config>;
