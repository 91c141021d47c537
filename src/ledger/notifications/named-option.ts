import { endsInBlank } from '../../schema/blank.ts';
import type { Answer, Option } from '../../schema/question.ts';

/** The option that a text names, by label or id; ignores case if there is no exact match. */
export function optionNamed(options: Option[], text: string): Option | undefined {
  const wanted = text.toLowerCase();
  return (
    options.find((option) => option.label === text || option.id === text) ??
    options.find((option) => option.label.toLowerCase() === wanted || option.id?.toLowerCase() === wanted)
  );
}

/** The option that an answer names without filling in its blank, so that it is not an answer yet. */
export function blankIn(options: Option[], given: Answer): { label: string; message: string } | undefined {
  const label = [given]
    .flat()
    .map((value) => optionNamed(options, value.trim())?.label)
    .find((named) => named !== undefined && endsInBlank(named));
  if (label === undefined) return undefined;
  return { label, message: `"${label}" has a blank to fill in. Write the whole answer.` };
}
