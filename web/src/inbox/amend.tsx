import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Answer, Question } from '../../../src/schema/question.ts';
import { hub } from '../api/hub.ts';
import { put } from '../state/ledger.ts';
import { useAction } from '../state/use-action.ts';
import { oneLine } from '../text/words.ts';

/** Replaces an answer, and says what that causes. */
export function Amend({ notification }: { notification: Notification }) {
  const { projectId, id, questions } = notification;
  const isOpen = useSignal(false);
  const typed = useSignal<Record<string, string>>({});
  const effect = useSignal('');
  const { problem, busy, run } = useAction();
  const responses = questions.flatMap((question) => {
    const text = typed.value[question.id]?.trim() ?? '';
    return text === '' || text === givenTo(notification, question)
      ? []
      : [{ questionId: question.id, answer: answerIn(question, text) }];
  });
  const amend = async () => {
    const { effect: follows, ...amended } = await hub.amend(projectId, id, { responses });
    put([amended]);
    effect.value = follows?.message ?? '';
    typed.value = {};
    isOpen.value = false;
  };
  if (!isOpen.value) {
    return (
      <p class="amend">
        <button type="button" class="quiet" onClick={() => (isOpen.value = true)}>
          Change the answer …
        </button>
        <span role="status">{effect.value}</span>
      </p>
    );
  }
  return (
    <form
      class="amend"
      onSubmit={(event) => {
        event.preventDefault();
        if (responses.length > 0) void run(amend);
      }}
    >
      {questions.map((question) => (
        <Field
          key={question.id}
          question={question}
          value={typed.value[question.id] ?? givenTo(notification, question)}
          onInput={(text) => (typed.value = { ...typed.value, [question.id]: text })}
        />
      ))}
      <button type="submit" disabled={busy.value || responses.length === 0}>
        Replace the answer
      </button>
      <button type="button" class="quiet" onClick={() => (isOpen.value = false)}>
        Keep it
      </button>
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </form>
  );
}

interface FieldProps {
  question: Question;
  value: string;
  onInput(text: string): void;
}

function Field({ question: { text, options = [], multi }, value, onInput }: FieldProps) {
  const id = useId();
  return (
    <p>
      <label for={id}>
        New answer to “{oneLine(text)}”{multi ? ', one per line' : ''}
      </label>
      {multi ? (
        <textarea id={id} dir="auto" value={value} onInput={(event) => onInput(event.currentTarget.value)} />
      ) : (
        <input
          id={id}
          type="text"
          dir="auto"
          list={`${id}-options`}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
      <datalist id={`${id}-options`}>
        {options.map(({ label }) => (
          <option key={label} value={label} />
        ))}
      </datalist>
    </p>
  );
}

function givenTo({ responses }: Notification, { id }: Question): string {
  const response = responses.find(({ questionId }) => questionId === id);
  return response?.kind === 'answered' ? [response.answer].flat().join('\n') : '';
}

const answerIn = ({ multi }: Question, text: string): Answer =>
  multi
    ? text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
    : text;
