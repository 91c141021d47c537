import { type OwnFile, readOwnFile } from '../../files/own-file.ts';
import { checkTemplate } from './fill-template.ts';

/** The prompts whose task a project can word itself: their required and optional placeholders. */
const prompts = {
  convert: {
    required: 'source_content',
    known: ['source_content', 'master_template', 'phase_template', 'previous_issues_section'],
  },
  draft: { required: 'idea', known: ['idea', 'repository', 'vagueness', 'decisions'] },
  'plan-from-issues': { required: 'issues', known: ['issues', 'repository', 'decisions', 'assumptions'] },
} as const;
export type PlanPrompt = keyof typeof prompts;
export const planPrompts = Object.keys(prompts) as PlanPrompt[];

/** The project's own templates; each replaces the built-in one. */
export interface OwnTemplates {
  master?: OwnFile | undefined;
  phase?: OwnFile | undefined;
  prompt?: OwnFile | undefined;
}

const TEMPLATES = '.claude/fermata/templates';
const PROMPTS = '.claude/fermata/prompts';
const MASTER = `${TEMPLATES}/MASTER_TEMPLATE.md`;
const PHASE = `${TEMPLATES}/PHASE_GENERIC.md`;
const promptPath = (name: PlanPrompt) => `${PROMPTS}/${name}.md`;

/** The paths of all of them. */
export const ownTemplatePaths: readonly string[] = [MASTER, PHASE, ...planPrompts.map(promptPath)];

/** The project's own templates for one of the prompts. Refuses a prompt that cannot be filled in. */
export function readOwnTemplates(root: string, name: PlanPrompt): OwnTemplates {
  const { required, known } = prompts[name];
  const prompt = readOwnFile(root, promptPath(name));
  if (prompt) checkTemplate(prompt, required, known);
  return {
    master: readOwnFile(root, MASTER),
    phase: readOwnFile(root, PHASE),
    prompt,
  };
}
