import { useMemo } from 'preact/hooks';
import { VisibleLine } from '../text/verbatim-block.tsx';
import { type DiffFile, diffFiles } from './diff-files.ts';

/** A unified diff, file by file. */
export function DiffText({ text }: { text: string }) {
  // Memoized, so that thousands of lines are not compared at every keystroke next to them.
  return useMemo(
    () => (
      <div class="diff">
        {diffFiles(text).map((file, index) => (
          <File key={index} file={file} />
        ))}
      </div>
    ),
    [text],
  );
}

function File({ file: { path, added, removed, lines } }: { file: DiffFile }) {
  return (
    <div class="diff-file">
      {path !== '' && (
        <p class="diff-head">
          <span class="diff-path" title={path}>
            {path}
          </span>
          <span class="diff-added">{`+${added}`}</span>
          <span class="diff-removed">{`−${removed}`}</span>
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <pre tabIndex={0}>
        <code>
          {lines.map(({ kind, text }, index) => (
            <span key={index} class={`diff-${kind}`}>
              <VisibleLine line={text} />
              {'\n'}
            </span>
          ))}
        </code>
      </pre>
    </div>
  );
}
