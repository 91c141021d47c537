import type { Option } from '../../../src/schema/question.ts';
import { visible, visibleProse } from '../../../src/schema/visible.ts';

/** All previews overlap and one is visible; the space is as high as the highest, so that nothing moves. */
export function Previews({ options, shown }: { options: readonly Option[]; shown: Option | undefined }) {
  return (
    <div class="previews">
      {options.map((option) => (
        <div key={option.label} class={option === shown ? 'preview' : 'preview behind'}>
          <p class="preview-title" dir="auto">
            {visibleProse(option.label)}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
          <pre tabIndex={0}>
            {option.preview ? visible(option.preview) : <span class="faint">No preview.</span>}
          </pre>
        </div>
      ))}
    </div>
  );
}
