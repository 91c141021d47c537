import { hrefOf } from '../route.ts';
import { Command, Empty } from './empty.tsx';

/** Shown when there is no project yet. */
export function NoProject() {
  return (
    <Empty title="No project yet">
      <p>
        A folder becomes a project when you use Fermata in it:{' '}
        <Command>fermata tasks add "Write the parser"</Command>
      </p>
      <p>
        Or add one in the <a href={hrefOf('settings')}>settings</a>.
      </p>
    </Empty>
  );
}
