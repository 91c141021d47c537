import { hrefOf, type Route } from '../route.ts';
import { nameOf, projects } from '../state/ledger.ts';

/** A link from one item of a project back to the list. */
export function Crumbs({
  project,
  page,
  title,
  id,
}: {
  project: string;
  page: Route['page'];
  title: string;
  id: string;
}) {
  return (
    <p class="crumbs">
      {projects.value.length > 1 && (
        <>
          <bdi>{nameOf(project)}</bdi> ›{' '}
        </>
      )}
      <a href={hrefOf(page, project)}>{title}</a> › {id}
    </p>
  );
}
