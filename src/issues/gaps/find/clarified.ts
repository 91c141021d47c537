import { GapType } from '../../../schema/qa.ts';
import type { Evidence } from '../evidence.ts';
import { gapLabels } from '../gap.ts';
import { type ReadText, writtenPieces } from '../issue-text.ts';

const heading = /clarifications?\b.*\bq\s?&\s?a/i;

/** Answers that were written back into the issue (`## Clarifications (via … Q&A)`), which close their gaps. */
export function findClarified(text: ReadText): Map<GapType, Evidence> {
  const { sections } = text.document;
  const start = sections.findIndex((section) => heading.test(section.heading));
  const found = new Map<GapType, Evidence>();
  if (start < 0) return found;
  const level = sections[start]?.level ?? 1;
  const answers = writtenPieces(text);
  for (const section of sections.slice(start + 1)) {
    if (section.level <= level) break;
    const type = GapType.options.find((each) =>
      section.heading.trim().startsWith(gapLabels[each].split(' (')[0] ?? ''),
    );
    if (!type || section.empty || found.has(type)) continue;
    const answer = answers.find((piece) => piece.at >= section.at);
    if (answer) found.set(type, text.evidence('clarified', answer.at, answer.text.length, 1));
  }
  return found;
}
