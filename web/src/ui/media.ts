import { signal } from '@preact/signals';

// The opposite of what phone.css applies to: narrow windows, and low ones, such as a phone in landscape.
const query = matchMedia('(min-width: 800px) and (min-height: 480px)');

/** Whether there is room for a list and a question next to each other. */
export const wide = signal(query.matches);
query.addEventListener('change', () => {
  wide.value = query.matches;
});
