import * as z from 'zod';
import { fixedAgentNames } from './agent-name.ts';
import { AutonomyLevel, AutonomyPreset } from './autonomy.ts';

/** A server that turns texts into vectors, for `fermata knowledge`. Its key is never in a file. */
export const EmbedderConfig = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !url.includes('@'), 'do not put a password here; set FERMATA_EMBEDDER_KEY')
    .describe('Its OpenAI-compatible endpoint: http://localhost:11434/v1/embeddings'),
  model: z.string().min(1).describe("The model's name on that server."),
});

/** `fermata.config.json`. Every key is optional; `fermata config` shows what applies and where it comes from. */
export const Config = z.strictObject({
  $schema: z.string().optional().describe('The JSON Schema of this file, for editors.'),
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
      agent: z.enum(['gemini', ...fixedAgentNames]).describe('The agent that reviews.'),
      model: z.string().min(1).max(200).optional().describe('The model, by the name that the agent uses.'),
    })
    .optional()
    .describe(
      'Who reviews the work of a phase ("fermata review"). Default: an installed agent other than the one that wrote the code.',
    ),
  analysis: z
    .enum(['agent', 'rules', 'both'])
    .optional()
    .describe(
      'Who judges what issues leave open: the agent with the rules as its floor (agent), only the rules (rules), or everything that either finds (both). Default: agent; rules for the scripted agent.',
    ),
  checks: z
    .array(z.string().trim().min(1).max(2000))
    .max(20)
    .optional()
    .describe(
      'Commands that must succeed before a task without a plan is merged: ["npm ci", "npm test"]. Default: the tests that the manifests name.',
    ),
  embedder: EmbedderConfig.optional().describe(
    'An embedding server on this machine, to search documents by meaning. To use a remote one, set FERMATA_EMBEDDER_URL.',
  ),
  synonyms: z
    .array(z.array(z.string().trim().min(1).max(100)).min(2).max(50))
    .max(500)
    .optional()
    .describe('Synonyms in this project, used to search its documents: [["parcel", "shipment"]].'),
});
export type Config = z.infer<typeof Config>;
