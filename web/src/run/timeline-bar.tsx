import type { Notification } from '../../../src/schema/notification.ts';
import type { Run } from '../../../src/schema/run.ts';
import { now } from '../state/clock.ts';
import { duration } from '../text/words.ts';
import { At } from '../ui/ago.tsx';
import { timeline, timeOf } from './timeline.ts';

/** A run over time, with the waits for a person marked. */
export function Timeline({ run, questions }: { run: Run; questions: readonly Notification[] }) {
  const segments = timeline(run, questions, now.value);
  const [work, wait] = [timeOf('work', segments), timeOf('wait', segments)];
  const all = Math.max(1, work + wait);
  return (
    <figure class="timeline">
      <div
        class="timeline-bar"
        role="img"
        aria-label={`Worked ${duration(work)}, waited for you ${duration(wait)}`}
      >
        {segments.map(({ kind, from, to }) => (
          <span
            key={from}
            class={kind}
            style={{ flexGrow: Math.max(0.002, (to - from) / all) }}
            title={`${kind === 'wait' ? 'waited' : 'worked'} ${duration(to - from)}`}
          />
        ))}
      </div>
      <figcaption>
        <span class="key work">worked {duration(work)}</span>
        <span class="key wait">waited for you {duration(wait)}</span>
        <span class="timeline-span">
          <At at={run.startedAt} /> – {run.endedAt === null ? 'now' : <At at={run.endedAt} />}
        </span>
      </figcaption>
    </figure>
  );
}
