import { computed, effect, signal } from '@preact/signals';
import type { Project } from '../../../src/schema/project.ts';
import { projects } from './ledger.ts';
import { route } from './location.ts';

/** The project that was viewed last; the inbox shows those of all. */
const last = signal<string | undefined>(undefined);
effect(() => {
  const { value } = route;
  if (value.page !== 'inbox' && 'project' in value && value.project) last.value = value.project;
});

/** The one in the address, else the last one, else the one in which something happened last. */
const isLater = (a: string | null, b: string | null) => ((a ?? '') < (b ?? '') ? 1 : -1);

export const currentProject = computed((): Project | undefined => {
  const { value } = route;
  const newest = projects.value.toSorted((a, b) => isLater(a.lastEventAt, b.lastEventAt))[0];
  const ids = ['project' in value ? value.project : undefined, last.value, newest?.id];
  const found = ids.flatMap((id) => projects.value.find((project) => project.id === id) ?? []);
  return found[0] ?? projects.value[0];
});
