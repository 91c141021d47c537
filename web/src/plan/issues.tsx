import type { PlanView } from '../../../src/schema/plan-view.ts';
import { RichText } from '../text/rich-text.tsx';

type Issue = NonNullable<PlanView['audit']>['issues'][number];

/** The audit's findings, each with its line. */
export function Issues({ issues, files }: { issues: readonly Issue[]; files: PlanView['files'] }) {
  return (
    <section class="issues" aria-label="Audit findings">
      <h2>Audit findings</h2>
      <ul>
        {byPlace(issues).map(([place, found]) => (
          <li key={place}>
            <Excerpt place={place} line={found[0]?.line ?? 1} text={files[found[0]?.file ?? '']} />
            {found.map(({ severity, code, message, suggestion }, index) => (
              <div key={index} class={`issue ${severity}`}>
                <p>
                  <strong>{severity}</strong> {message} <code>{code}</code>
                </p>
                {suggestion && <RichText text={suggestion} class="issue-suggestion" />}
              </div>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function byPlace(issues: readonly Issue[]): [string, Issue[]][] {
  const places = new Map<string, Issue[]>();
  for (const issue of issues) {
    const place = `${issue.file}:${issue.line}`;
    places.set(place, [...(places.get(place) ?? []), issue]);
  }
  return [...places];
}

/** The line, with the one before and after it. */
function Excerpt({ place, line, text }: { place: string; line: number; text: string | undefined }) {
  if (text === undefined) return <p class="place">{place}</p>;
  const lines = text.split(/\r?\n/);
  const first = Math.max(1, line - 1);
  return (
    <figure class="excerpt">
      <figcaption>{place}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <pre tabIndex={0}>
        {lines.slice(first - 1, line + 1).map((content, index) => (
          <span key={index} class={first + index === line ? 'at' : undefined}>
            <span class="line-number">{first + index}</span>
            {`${content}\n`}
          </span>
        ))}
      </pre>
    </figure>
  );
}
