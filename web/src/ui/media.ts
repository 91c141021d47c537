import { signal } from '@preact/signals';

// The other side of what phone.css is for: narrow windows, and low ones, as of a phone that lies on its side.
const query = matchMedia('(min-width: 800px) and (min-height: 480px)');

/** There is room for a list and a question side by side. */
export const wide = signal(query.matches);
query.addEventListener('change', () => {
  wide.value = query.matches;
});
