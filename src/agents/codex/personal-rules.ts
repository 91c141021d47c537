import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { visible } from '../../schema/visible.ts';
import { codexFolder } from './rollout-file.ts';

/** Sentences that say which of the person's own Codex files let an agent act without asking. */
export function personalRules(env: Record<string, string | undefined>): string[] {
  const folder = codexFolder(env);
  if (folder === undefined) return [];
  const rules = namesIn(join(folder, 'rules')).filter((name) => name.endsWith('.rules'));
  const hooks = namesIn(folder).filter((name) => name === 'hooks.json');
  return [
    ...rules.map(
      (name) => `Your own rules decide what runs without asking (${join(folder, 'rules', name)}).`,
    ),
    ...hooks.map((name) => `Your own hooks run (${join(folder, name)}).`),
  ].map(visible);
}

/** Empty if the folder is missing or not readable. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
