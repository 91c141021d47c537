import type { ComponentChildren } from 'preact';
import type { Loaded } from '../state/use-live.ts';

/** Shows loaded data; nothing while it is loading, and a sentence if it failed. */
export function LoadedView<T>({
  value,
  children,
}: {
  value: Loaded<T>;
  children: (data: T) => ComponentChildren;
}) {
  switch (value.state) {
    case 'loading':
      return <div class="loading" aria-busy="true" />;
    case 'failed':
      return (
        <p class="problem" role="alert">
          {value.problem}
        </p>
      );
    case 'loaded':
      return <>{children(value.data)}</>;
    default: {
      const never: never = value;
      return never;
    }
  }
}
