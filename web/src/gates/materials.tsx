import { counted } from '../../../src/schema/counted.ts';
import type { GateMaterial } from '../../../src/schema/gate.ts';
import { visible } from '../../../src/schema/visible.ts';
import { RichText } from '../text/rich-text.tsx';
import { VerbatimBlock } from '../text/verbatim-block.tsx';
import { DiffText } from './diff-text.tsx';
import { GateResults } from './gate-results.tsx';

const LONG_LINES = 80;
/** What agents say about their work may be folded; the subject of the decision never is. */
const isProse = ({ kind }: GateMaterial) => kind === 'walkthrough' || kind === 'text';

/** The material of a gate. Long texts of agents are folded. */
export function Materials({ material }: { material: readonly GateMaterial[] }) {
  if (material.length === 0) return null;
  return (
    <div class="materials">
      {material.map((item, index) => (
        <details
          key={index}
          class={`material material-${item.kind}`}
          open={!isProse(item) || linesOf(item) <= LONG_LINES}
        >
          <summary dir="auto">
            {visible(item.title)} <span class="faint">{`(${counted(linesOf(item), 'line')})`}</span>
          </summary>
          <Body item={item} />
        </details>
      ))}
    </div>
  );
}

const linesOf = ({ text }: GateMaterial) => text.split('\n').length;

function Body({ item }: { item: GateMaterial }) {
  switch (item.kind) {
    case 'diff':
      return <DiffText text={item.text} />;
    case 'verbatim':
      return <VerbatimBlock piece={{ label: item.title, text: item.text }} />;
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
