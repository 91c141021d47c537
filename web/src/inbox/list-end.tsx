import { useEffect, useRef } from 'preact/hooks';
import { loadMore } from '../state/reading.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { clearFilter } from './filter.ts';

/** Calls `onSeen` shortly before the end of the list becomes visible. */
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

export function More() {
  return (
    <LoadMore class="list-more" load={loadMore}>
      There are newer ones.
    </LoadMore>
  );
}

/** The filter matches nothing. */
export function NothingFits() {
  return (
    <div class="list-more">
      <p>Nothing matches the filter.</p>
      <button type="button" onClick={clearFilter}>
        Show everything
      </button>
    </div>
  );
}
