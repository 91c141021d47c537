import type { ComponentChildren } from 'preact';
import { useAction } from '../state/use-action.ts';

/** Loads the rest on demand. */
export function LoadMore(props: { class: string; load(): Promise<unknown>; children: ComponentChildren }) {
  const { problem, busy, run } = useAction();
  return (
    <div class={props.class}>
      <p>{props.children}</p>
      <button type="button" disabled={busy.value} onClick={() => void run(props.load)}>
        {busy.value ? 'Loading …' : 'Load more'}
      </button>
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </div>
  );
}
