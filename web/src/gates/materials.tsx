import type { GateMaterial } from '../../../src/schema/gate.ts';
import { RichText } from '../text/rich-text.tsx';
import { DiffText } from './diff-text.tsx';
import { GateResults } from './gate-results.tsx';

const LONG_LINES = 80;

/** What to look at before answering a gate. Long ones are folded. */
export function Materials({ material }: { material: readonly GateMaterial[] }) {
  if (material.length === 0) return null;
  return (
    <div class="materials">
      {material.map((item, index) => (
        <details
          key={index}
          class={`material material-${item.kind}`}
          open={item.text.split('\n').length <= LONG_LINES}
        >
          <summary dir="auto">{item.title}</summary>
          <Body item={item} />
        </details>
      ))}
    </div>
  );
}

function Body({ item }: { item: GateMaterial }) {
  switch (item.kind) {
    case 'diff':
      return <DiffText text={item.text} />;
    case 'gates':
      return <GateResults text={item.text} />;
    case 'walkthrough':
    case 'text':
      return <RichText text={item.text} />;
    default: {
      const never: never = item.kind;
      return never;
    }
  }
}
