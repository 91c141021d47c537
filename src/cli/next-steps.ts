import { quoted } from '../agents/shell-words.ts';
import { tell } from './output.ts';
import { shownPath } from './shown-path.ts';

/** What a person does with a plan that was just written. */
export function tellNextSteps(folder: string): void {
  const plan = quoted(shownPath(folder));
  tell(`Look at it with: fermata plan show ${plan}`);
  tell(`Carry it out with: fermata run ${plan}`);
}
