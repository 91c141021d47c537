import { useMemo } from 'preact/hooks';
import type { Verbatim } from '../../../src/schema/question.ts';
import { countSigns, withSigns } from '../../../src/schema/signs.ts';
import { verbatimCaption, verbatimLines } from '../../../src/schema/verbatim.ts';

/** A line with a symbol for each control character, and its name as text. */
export function VisibleLine({ line }: { line: string }) {
  return withSigns(line).map((part, index) =>
    typeof part === 'string' ? (
      part
    ) : (
      <b key={index} class="sign" data-name={part.name}>
        {part.sign}
      </b>
    ),
  );
}

/** More elements than this, one per line or symbol, would freeze the page. */
const MAX_ELEMENTS = 5000;

/** What a person approves, byte for byte and complete: it scrolls, lines are numbered, and no markup is interpreted. */
export function VerbatimBlock({ piece }: { piece: Verbatim }) {
  const lines = useMemo(() => verbatimLines(piece.text), [piece.text]);
  const signs = countSigns(lines);
  return (
    <figure class="verbatim">
      <figcaption>{verbatimCaption(piece)}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <pre tabIndex={0} dir="ltr">
        {lines.length + signs > MAX_ELEMENTS ? (
          <code class="unnumbered">{lines.join('\n')}</code>
        ) : (
          lines.map((line, index) => (
            <code key={index}>
              <VisibleLine line={line} />
              {'\n'}
            </code>
          ))
        )}
      </pre>
    </figure>
  );
}
