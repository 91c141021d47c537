import { readOwnFile } from '../../files/read-bounded.ts';
import type { HilConfig } from '../../schema/autonomy.ts';
import type { Notification } from '../../schema/notification.ts';
import { analyst } from '../prompts/analyst.ts';
import { coder } from '../prompts/coder.ts';
import { dreamer } from '../prompts/dreamer.ts';
import { planner } from '../prompts/planner.ts';
import { autonomyPart, historyPart, questionsPart } from './prompt-parts.ts';
import type { RoleName } from './role.ts';

const builtIn: Record<RoleName, string> = { analyst, dreamer, planner, coder };

/** Where a project keeps its own prompts. */
export const PROMPTS_FOLDER = '.claude/fermata/prompts';

export interface RolePrompt {
  role: RoleName;
  /** The project's folder, where its own prompts are. */
  root: string;
  hilConfig: HilConfig;
  /** What was asked and answered so far. */
  history: Notification[];
  /** What else the template names, such as `input`. */
  values: Record<string, string>;
}

/** The prompt of a role, filled in: the project's own template if it has one, otherwise the built-in one. */
export function rolePrompt({ role, root, hilConfig, history, values }: RolePrompt): string {
  const parts: Record<string, string> = {
    autonomy: autonomyPart(hilConfig),
    questions: questionsPart,
    history: historyPart(history),
  };
  const template = ownPrompt(role, root)?.text ?? builtIn[role];
  // A project's template may leave these out, but an agent always needs them.
  const missing = Object.keys(parts).filter((name) => !template.includes(`{{${name}}}`));
  const whole = [template.trimEnd(), ...missing.map((name) => `{{${name}}}`)].join('\n\n');
  const all: Record<string, string> = { ...values, ...parts };
  return (parts.history === '' ? whole.replace('\n\n{{history}}', '') : whole).replace(
    /\{\{(\w+)\}\}/g,
    (found, name: string) => (Object.hasOwn(all, name) ? (all[name] ?? '') : found),
  );
}

/** The project's own prompt of a role, if it has one. */
export const ownPrompt = (role: RoleName, root: string) => readOwnFile(root, `${PROMPTS_FOLDER}/${role}.md`);
