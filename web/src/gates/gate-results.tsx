import { verbatimLines } from '../../../src/schema/verbatim.ts';
import { VisibleLine } from '../text/verbatim-block.tsx';

/** The results of the gate commands; failures stand out. */
export function GateResults({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <pre class="gate-results" tabIndex={0}>
      {verbatimLines(text).map((line, index) => (
        <span key={index} class={line.startsWith('✗') ? 'gate-failed' : undefined}>
          <VisibleLine line={line} />
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
