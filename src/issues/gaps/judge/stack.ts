import type { Stack } from '../../repository/stack.ts';
import type { OpenChoice } from '../find/open-choice.ts';
import type { Finding } from '../gap.ts';
import type { Case } from './case.ts';

/** Not mentioning technology is normal: only an open choice is a gap, and the manifests may close it. */
export function judgeStack({ choices, stack, kind }: Case): Finding[] {
  // In a bug report, alternatives say where the bug happens, unless somebody has to choose.
  const loose = kind !== 'question' && kind !== 'bug';
  const open = choices.filter(
    (choice) => choice.technical && (choice.asked || loose) && !decidedBy(stack, choice),
  );
  const best = open.find(({ alternatives }) => alternatives.length > 0) ?? open[0];
  if (!best) return [];
  return [
    {
      type: 'tech_stack',
      cause: 'open_choice',
      uncertainty: 0.9,
      evidence: open.slice(0, 5).map(({ evidence }) => evidence),
      quote: best.evidence.text,
      alternatives: best.alternatives,
    },
  ];
}

/** The repository already uses exactly one of the alternatives, or shows what was asked for. */
function decidedBy(stack: Stack | undefined, { evidence, alternatives }: OpenChoice): boolean {
  if (!stack) return false;
  const used = [...stack.languages, ...stack.frameworks, ...stack.testRunners].map((name) =>
    name.toLowerCase(),
  );
  if (alternatives.length > 0)
    return alternatives.filter((name) => used.includes(name.toLowerCase())).length === 1;
  if (/\btest(?:ing)? (?:framework|runner|library|tool)/i.test(evidence.text))
    return stack.testRunners.length > 0;
  if (/\b(?:programming )?language\b/i.test(evidence.text)) return stack.languages.length > 0;
  return /\b(?:web |ui |frontend |backend )?framework\b/i.test(evidence.text) && stack.frameworks.length > 0;
}
