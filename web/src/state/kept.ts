import { effect, type Signal, signal } from '@preact/signals';

/** A record by key that survives a reload, in this tab only. */
export function kept<T>(name: string): Signal<Readonly<Record<string, T>>> {
  const all = signal(JSON.parse(sessionStorage.getItem(name) ?? '{}') as Readonly<Record<string, T>>);
  effect(() => sessionStorage.setItem(name, JSON.stringify(all.value)));
  return all;
}
