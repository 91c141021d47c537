import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findRepository } from '../../config/repository.ts';
import { pointsOutside, shownPath } from '../../files/real-path.ts';
import { writeAtOnce } from '../../files/write-at-once.ts';
import { FermataError } from '../../schema/error.ts';

export interface CommandFile {
  path: string;
  written: boolean;
}

/** Writes `/plan` and `/continue` for Claude Code into `.claude/commands`. Keeps an existing file, unless it may be replaced. */
export function writeClaudeCommands(cwd: string, name: string, replace = false): CommandFile[] {
  const top = findRepository(cwd)?.top ?? cwd;
  const folder = join(top, '.claude', 'commands');
  mkdirSync(folder, { recursive: true });
  if (pointsOutside(top, folder)) {
    throw new FermataError(
      'invalid',
      `${folder} is a link to something outside ${top}. Replace it with a folder.`,
    );
  }
  const texts = { 'plan.md': planCommand(name), 'continue.md': continueCommand(name) };
  return Object.entries(texts).map(([file, text]) => {
    const path = join(folder, file);
    const written = replace || lstatSync(path, { throwIfNoEntry: false }) === undefined;
    if (written) writeAtOnce(path, text);
    return { path, written };
  });
}

export const describeCommandFiles = (files: readonly CommandFile[]): string =>
  files
    .map(({ path, written }) =>
      written ? `Wrote ${shownPath(path)}.` : `${shownPath(path)} already exists; not changed.`,
    )
    .join('\n');

const planCommand = (name: string) => `---
description: Find approaches for a feature and turn them into a plan of phases
argument-hint: what to build
---

Plan this feature: $ARGUMENTS

1. Split the requirements into segments that one specialist can investigate independently.
2. For each segment, delegate to a sub-agent: "Run \`${name} protocol discovery\` and follow the steps. INPUTS: \`{ agent_name: <specialist_name>[_N], segment_context: <requirements_for_segment> }\`". For a bug, use \`${name} protocol bug-discovery\`.
3. Call \`${name} plan block-findings-gate\` and wait until a person has reviewed the approaches. Delegate the changes that they request.
4. Write the plan from the accepted approaches and the person's answers, starting with \`${name} plan init\`. Run \`${name} audit\` until it passes.
5. Call \`${name} plan block-plan-gate\` and wait until a person has approved the plan.
`;

const continueCommand = (name: string) => `---
description: Continue the plan of this branch
---

Continue the plan of the current branch.

1. Call \`${name} plan status\` to see its progress.
2. Call \`${name} plan next\` to see which phases can start. If none can, say what they are waiting for and stop.
3. For each phase N (and each of its variants V), delegate to a sub-agent:
   - for a debug phase: "Run \`${name} protocol debugging\` and follow the steps. INPUTS: \`{ prompt_num: <N>, variant: <V>, feature_branch: <current_branch> }\`"
   - otherwise: "Run \`${name} protocol implementation\` and follow the steps. INPUTS: \`{ prompt_num: <N>, variant: <V>, feature_branch: <current_branch> }\`"
4. When all of them have finished, repeat from step 1.
`;
