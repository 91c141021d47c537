import { now } from '../state/clock.ts';
import { duration } from '../text/words.ts';

/** "12 min", kept up to date; the exact time on hover. */
export function Ago({ at }: { at: string }) {
  const time = Date.parse(at);
  return (
    <time dateTime={at} title={new Date(time).toLocaleString()}>
      {duration(Math.max(0, now.value - time))}
    </time>
  );
}

const HOUR_AND_MINUTE = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Without the date, for lists of many times. */
export function TimeOfDay({ at }: { at: string }) {
  const time = new Date(at);
  return (
    <time dateTime={at} title={time.toLocaleString()}>
      {time.toLocaleTimeString([], HOUR_AND_MINUTE)}
    </time>
  );
}

/** The time of day, with the date if it is not today. */
export function At({ at }: { at: string }) {
  const time = new Date(at);
  const today = new Date(now.value).toDateString() === time.toDateString();
  const text = today
    ? time.toLocaleTimeString([], HOUR_AND_MINUTE)
    : time.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
  return (
    <time dateTime={at} title={time.toLocaleString()}>
      {text}
    </time>
  );
}
