import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { EventType } from '../../../src/schema/event.ts';
import { messageOf } from '../api/error.ts';
import { onChange } from './live.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { leftOut } from './session.ts';

export type Loaded<T> =
  | { state: 'loading' }
  | { state: 'loaded'; data: T }
  | { state: 'failed'; problem: string };

/**
 * Reads something of a project, and again whenever events of these kinds say that it may have changed. `key` identifies
 * what `load` and `types` depend on.
 */
export function useLive<T>(
  projectId: string | undefined,
  key: string,
  load: (projectId: string) => Promise<T>,
  types: readonly EventType[],
): ReadonlySignal<Loaded<T>> {
  const result = useSignal<Loaded<T>>({ state: 'loading' });
  const shown = useRef(projectId);
  useEffect(() => {
    if (projectId === undefined) return;
    let current = true;
    const read = oneAtATime(async () => {
      try {
        const data = await load(projectId);
        if (current) result.value = { state: 'loaded', data };
      } catch (error) {
        if (leftOut(error) || !current) return;
        // The shown data stays; it is stale, and the connection state says so.
        if (result.peek().state !== 'loaded') result.value = { state: 'failed', problem: messageOf(error) };
      }
    });
    // Another part of the same project: the shown data stays until the new one is read.
    if (shown.current !== projectId) result.value = { state: 'loading' };
    shown.current = projectId;
    void read();
    const stop = onChange(projectId, types, () => void read());
    return () => {
      current = false;
      stop();
    };
  }, [projectId, key]);
  return result;
}
