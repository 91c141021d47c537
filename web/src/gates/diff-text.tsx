/** A unified diff, line by line. */
export function DiffText({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <pre class="diff" tabIndex={0}>
      {text.split('\n').map((line, index) => (
        <span key={index} class={classOf(line)}>
          {`${line}\n`}
        </span>
      ))}
    </pre>
  );
}

function classOf(line: string): string {
  if (/^(diff --git|index |\+\+\+ |--- |new file|deleted file|rename |similarity )/.test(line))
    return 'diff-file';
  if (line.startsWith('@@')) return 'diff-place';
  if (line.startsWith('+')) return 'diff-added';
  if (line.startsWith('-')) return 'diff-removed';
  return 'diff-same';
}
