import { wake } from '../state/clock.ts';
import { loaded, problem } from '../state/ledger.ts';
import { line } from '../state/live.ts';

/** True while the shown data may be stale. */
export const isBroken = (): boolean => problem.value !== undefined || line.value === 'down';

/** Says that the hub is unreachable, over the page, so that nothing moves. Appears late, because most interruptions are short. */
export function Banner() {
  return (
    <div class="banner-place" role="status">
      {loaded.value && isBroken() && (
        <p class="banner">
          <span>The hub is not responding. This page may be out of date; what you write is kept.</span>
          <button type="button" onClick={wake}>
            Retry now
          </button>
        </p>
      )}
    </div>
  );
}
