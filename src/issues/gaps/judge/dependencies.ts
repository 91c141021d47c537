import type { Evidence } from '../evidence.ts';
import type { Finding } from '../gap.ts';
import type { Case } from './case.ts';

/** Other work that the text hints at. A link on the same line names it. */
export function judgeDependencies({ evidence, kind }: Case): Finding[] {
  const named = evidence.filter((each) => each.kind === 'linked_issue');
  const hints = evidence.filter(
    (each) => each.kind === 'other_work' && !named.some((link) => isBeside(link, each)),
  );
  const [first] = hints;
  if (!first || kind === 'question' || kind === 'bug') return [];
  return [
    {
      type: 'dependencies',
      cause: 'other_work',
      uncertainty: 0.8,
      evidence: hints.slice(0, 5),
      quote: first.text,
    },
  ];
}

function isBeside(link: Evidence, hint: Evidence): boolean {
  return link.in === hint.in && Math.abs(link.line - hint.line) <= 1;
}
