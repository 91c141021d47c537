import type { Notification } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';
import { required, unsettled } from '../inbox/draft.ts';
import { Fields } from '../inbox/fields.tsx';
import { ApproachField } from './approach-field.tsx';
import { GateWords } from './gate-words.tsx';
import { Materials } from './materials.tsx';

/** A gate with one decision: the question, remarks, and the material. */
export function GateForm({
  notification,
  active,
}: {
  notification: Notification;
  active: string | undefined;
}) {
  const left = unsettled(notification);
  const material = notification.gate?.material ?? [];
  const own = ({ id }: Question) => material.find(({ title }) => title === id);
  const decisive = required(notification);
  // If there is nothing to decide, the first question is the subject.
  const heads = decisive.length > 0 ? decisive : left.slice(0, 1);
  const rest = left.filter((question) => !heads.includes(question));
  return (
    <>
      <Fields notification={notification} questions={heads} active={active} />
      <GateWords notification={notification} questions={rest.filter((question) => !own(question))} />
      {rest.map((question) => {
        const piece = own(question);
        return (
          piece && (
            <ApproachField
              key={question.id}
              notification={notification}
              question={question}
              text={piece.text}
            />
          )
        );
      })}
      <Materials material={material.filter(({ title }) => !left.some(({ id }) => id === title))} />
    </>
  );
}
