import { cmd } from '../schema/command-line.ts';
import { tell } from './output.ts';
import { shownPath } from './shown-path.ts';

/** What to do with a plan that was just written. */
export function tellNextSteps(folder: string): void {
  const plan = shownPath(folder);
  tell(`Look at it with: ${cmd`plan show ${plan}`}`);
  tell(`Run it with: ${cmd`run ${plan}`}`);
}
