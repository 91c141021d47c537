import { signal } from '@preact/signals';
import type { Event, EventType } from '../../../src/schema/event.ts';
import type { Project } from '../../../src/schema/project.ts';
import { onWake } from './clock.ts';
import { EventSocket } from './event-socket.ts';

/** Events within this time cause one read. */
const BURST_MS = 60;

let socket: EventSocket | undefined;
const listeners = new Set<(event: Event) => void>();
const returns = new Set<() => void>();

export const line = signal<'connecting' | 'live' | 'down'>('connecting');

/** Follows all projects, including future ones, from their current event. */
export function follow(projects: readonly Project[]): void {
  socket ??= new EventSocket(
    projects.map(({ id, lastEvent }) => [id, lastEvent] as const),
    (event) => {
      for (const listener of listeners) listener(event);
    },
    setLive,
  );
}

export function stopFollowing(): void {
  socket?.close();
  socket = undefined;
  line.value = 'connecting';
}

/** Calls back for every event of every project. An event is only a hint; the row is authoritative. */
export function onEvent(listener: (event: Event) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls back when the connection is back, because everything read before may be stale. */
export function onReturn(listener: () => void): () => void {
  returns.add(listener);
  return () => returns.delete(listener);
}

/** Calls back, once per burst, when something of these kinds happened in a project, or may have while we were disconnected. */
export function onChange(projectId: string, types: readonly EventType[], listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      listener();
    }, BURST_MS);
  };
  const stopEvents = onEvent((event) => {
    if (event.projectId === projectId && types.includes(event.type) && !isStep(event)) soon();
  });
  const stopReturns = onReturn(soon);
  return () => {
    stopEvents();
    stopReturns();
    clearTimeout(timer);
  };
}

/** What an agent says and does changes no row. */
const isStep = ({ type, data }: Event): boolean =>
  type === 'run.event' && ['text', 'tool', 'usage'].includes(data.kind);

export function startLive(): void {
  onWake(() => socket?.wake());
}

function setLive(live: boolean): void {
  const before = line.peek();
  line.value = live ? 'live' : 'down';
  if (live && before === 'down') for (const listener of returns) listener();
}
