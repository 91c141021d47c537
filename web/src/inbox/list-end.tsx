import { useEffect, useRef } from 'preact/hooks';
import { loadMore } from '../state/reading.ts';
import { useAction } from '../state/use-action.ts';
import { clearFilter } from './filter.ts';

/** Calls back when the end of what is drawn comes near. */
export function End({ onSeen }: { onSeen(): void }) {
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const watcher = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) onSeen();
      },
      { rootMargin: '600px' },
    );
    if (mark.current) watcher.observe(mark.current);
    return () => watcher.disconnect();
  }, []);
  return <div ref={mark} class="list-end" />;
}

/** What is not loaded yet is there on demand. */
export function More() {
  const { problem, busy, run } = useAction();
  return (
    <div class="list-more">
      <p>There are more, which came later.</p>
      <button type="button" disabled={busy.value} onClick={() => void run(loadMore)}>
        {busy.value ? 'Loading …' : 'Load more'}
      </button>
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </div>
  );
}

/** The filter leaves nothing in. */
export function NothingFits() {
  return (
    <div class="list-more">
      <p>Nothing that waits fits the filter.</p>
      <button type="button" onClick={clearFilter}>
        Show everything
      </button>
    </div>
  );
}
