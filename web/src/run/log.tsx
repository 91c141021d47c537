import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { visible } from '../../../src/schema/visible.ts';
import { RichText } from '../text/rich-text.tsx';
import { TimeOfDay } from '../ui/ago.tsx';
import type { LogLine } from './run-log.ts';

/** The last lines are the ones that matter. */
const STEP = 500;
/** A reader this close to the end wants to see new lines. */
const NEAR_END_PX = 160;

/** What happened in a run, line by line. */
export function Log({ lines }: { lines: readonly LogLine[] }) {
  const box = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(true);
  const drawn = useSignal(STEP);
  const first = Math.max(0, lines.length - drawn.value);
  useEffect(() => {
    const { current } = box;
    // A person who scrolled up to read is not moved.
    if (current && isAtEnd.current) current.scrollTop = current.scrollHeight;
  }, [lines.length]);
  return (
    <ol
      ref={box}
      class="log"
      aria-label="Run log"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
      }}
    >
      {first > 0 && (
        <li class="log-earlier">
          <button type="button" onClick={() => (drawn.value += STEP)}>
            Show {Math.min(STEP, first)} earlier lines
          </button>
        </li>
      )}
      {lines.slice(first).map(({ at, kind, text }, index) => (
        <li key={first + index} class={`log-${kind}`}>
          <TimeOfDay at={at} />
          <span class="log-kind">{kind}</span>
          {kind === 'text' ? (
            <RichText text={text} />
          ) : (
            <span class="log-text" dir="auto">
              {visible(text)}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
