import { useSignal } from '@preact/signals';
import { askerLabel, subjectOf } from '../../../src/schema/asker.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Project } from '../../../src/schema/project.ts';
import { hub } from '../api/hub.ts';
import { useLive } from '../state/use-live.ts';
import { RichText } from '../text/rich-text.tsx';
import { askedBy } from '../text/words.ts';
import { At } from '../ui/ago.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { ShowEarlier } from '../ui/show-earlier.tsx';

/** How many at first, and added on demand. */
const STEP = 20;

/** What agents of a project decided alone, and what they reported, newest first. */
export function Recorded({ project }: { project: Project }) {
  const most = useSignal(STEP);
  const recorded = useLive(project.id, `${most.value}`, (id) => hub.recorded(id, most.value), [
    'notification.added',
  ]);
  return (
    <section>
      <h2>Decided without you in {project.name}</h2>
      <LoadedView value={recorded.value}>
        {({ rows, next }) =>
          rows.length === 0 ? (
            <p class="faint">Decisions that agents made on their own and told you about appear here.</p>
          ) : (
            <>
              <ul class="rows recorded">
                {rows.map((notification) => (
                  <Row key={notification.id} notification={notification} />
                ))}
              </ul>
              {next !== undefined && <ShowEarlier onShow={() => (most.value += STEP)} />}
            </>
          )
        }
      </LoadedView>
    </section>
  );
}

function Row({ notification }: { notification: Notification }) {
  const { questions, createdBy, createdAt } = notification;
  const about = [askedBy(createdBy), askerLabel(notification), subjectOf(notification)];
  return (
    <li>
      {questions.map(({ id, text, category }) => (
        <div key={id}>
          <RichText text={text} />
          {category && <p class="decision-by">about {category}</p>}
        </div>
      ))}
      <p class="decision-by">
        {about.filter(Boolean).join(' · ')} · <At at={createdAt} />
      </p>
    </li>
  );
}
