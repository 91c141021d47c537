import { computed } from '@preact/signals';
import { askerKind, askerKinds, askerWords } from '../../../src/schema/asker.ts';
import { nameOf, open, projects, waitingCount } from '../state/ledger.ts';
import { go } from '../state/location.ts';
import { filter, isFiltering, kindNamed, prepareFilter, setFilter } from './filter.ts';
import { hrefOfNotification, waiting } from './shown.ts';

/** The hub refuses longer ones. */
const MAX_TEXT = 200;

export function FilterBar() {
  const { text, project, kind } = filter.value;
  return (
    <search class="filter">
      <input
        type="search"
        aria-label="Filter"
        placeholder="Filter"
        aria-keyshortcuts="/"
        autocomplete="off"
        spellcheck={false}
        maxLength={MAX_TEXT}
        dir="auto"
        value={text}
        onFocus={prepareFilter}
        onInput={(event) => setFilter({ text: event.currentTarget.value })}
        onKeyDown={onKey}
      />
      <kbd>/</kbd>
      {(projects.value.length > 1 || project !== '') && (
        <select
          aria-label="Project"
          value={project}
          onChange={(event) => setFilter({ project: event.currentTarget.value })}
        >
          <option value="">Project</option>
          {askingProjects().map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      <select
        aria-label="Kind"
        value={kindNamed(kind) ?? ''}
        onChange={(event) => setFilter({ kind: event.currentTarget.value })}
      >
        <option value="">Kind</option>
        {askingKinds().map((each) => (
          <option key={each} value={each}>
            {askerWords[each]}
          </option>
        ))}
      </select>
      <output>{isFiltering.value && `${waiting.value.length} of ${waitingCount.value}`}</output>
    </search>
  );
}

function onKey(event: KeyboardEvent & { currentTarget: HTMLInputElement }): void {
  if (event.key === 'Escape') setFilter({ text: '' });
  if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
  const [first] = waiting.peek();
  event.preventDefault();
  event.currentTarget.blur();
  if (first) go(hrefOfNotification(first));
}

/** Computed apart from the filter, which changes with every keystroke. */
const asking = {
  projects: computed(() => new Set(open.value.map(({ projectId }) => projectId))),
  kinds: computed(() => new Set(open.value.map(askerKind))),
};

/** Projects with open questions, and the selected one in any case. */
function askingProjects(): { id: string; name: string }[] {
  const ids = new Set([...asking.projects.value, filter.value.project]);
  ids.delete('');
  return [...ids].map((id) => ({ id, name: nameOf(id) })).sort((a, b) => a.name.localeCompare(b.name));
}

function askingKinds() {
  const chosen = kindNamed(filter.value.kind);
  return askerKinds.filter((kind) => kind === chosen || asking.kinds.value.has(kind));
}
