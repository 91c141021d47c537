import { signal } from '@preact/signals';

const query = matchMedia('(min-width: 800px)');

/** There is room for a list and a question side by side. */
export const wide = signal(query.matches);
query.addEventListener('change', () => {
  wide.value = query.matches;
});
