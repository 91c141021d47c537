import { computed, effect, signal } from '@preact/signals';
import type { Project } from '../../../src/schema/project.ts';
import { open, projects } from './ledger.ts';
import { route } from './location.ts';

/** The project that was viewed last. */
const last = signal<string | undefined>(undefined);
effect(() => {
  const { value } = route;
  if ('project' in value && value.project) last.value = value.project;
});

/** The one in the address, else the last one, else one with open questions. */
export const currentProject = computed((): Project | undefined => {
  const { value } = route;
  const ids = ['project' in value ? value.project : undefined, last.value, open.value[0]?.projectId];
  const found = ids.flatMap((id) => projects.value.find((project) => project.id === id) ?? []);
  return found[0] ?? projects.value[0];
});
