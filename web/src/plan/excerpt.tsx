import type { AuditIssue } from '../api/shapes.ts';

/** The line that an issue is about, with the one before and after it. */
export function Excerpt({ issue, text }: { issue: AuditIssue; text: string | undefined }) {
  const place = `${issue.file}:${issue.line}`;
  if (text === undefined) return <p class="place">{place}</p>;
  const lines = text.split(/\r?\n/);
  const first = Math.max(1, issue.line - 1);
  return (
    <figure class="excerpt">
      <figcaption>{place}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <pre tabIndex={0}>
        {lines.slice(first - 1, issue.line + 1).map((line, index) => (
          <span key={index} class={first + index === issue.line ? 'at' : undefined}>
            <span class="line-number">{first + index}</span>
            {`${line}\n`}
          </span>
        ))}
      </pre>
    </figure>
  );
}
