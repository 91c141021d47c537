import { hrefOf, type Route } from '../route.ts';
import { currentProject } from '../state/current-project.ts';
import { projects } from '../state/ledger.ts';
import { go } from '../state/location.ts';

/** The title of a page about one project, with the project. */
export function PageHead({ title, page }: { title: string; page: Route['page'] }) {
  return (
    <header class="page-head">
      <h1>{title}</h1>
      {projects.value.length > 1 && (
        <select
          aria-label="Project"
          value={currentProject.value?.id}
          onChange={(event) => go(hrefOf(page, event.currentTarget.value))}
        >
          {projects.value.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </header>
  );
}
