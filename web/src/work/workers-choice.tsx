import type { TaskProgress } from '../../../src/schema/plan-run.ts';
import type { Starting } from '../api/hub.ts';
import { currentProject } from '../state/current-project.ts';
import { kept } from '../state/kept.ts';
import { chosenAgent } from './agent-choice.tsx';

const typed = kept<string>('workers');

/** Each project has its own. */
const keyOf = (name: string) => `${currentProject.value?.id ?? ''} ${name}`;
const typedFor = (name: string) => typed.value[keyOf(name)] ?? '';

type Workers = TaskProgress['workers'];

/** What the person chose in this tab; the branch and remote for workers only if they were asked for here. */
export function chosenStart(workers: Workers): Starting {
  const asked = workers && !workers.queued ? workers : { branch: '', remote: '' };
  return {
    agent: chosenAgent(),
    branch: asked.branch === null ? typedFor('branch') : '',
    remote: asked.remote === null ? typedFor('remote') : '',
  };
}

/** Asks where workers get the project from, if the hub does not know. */
export function WorkersChoice({ workers }: { workers: Workers }) {
  if (!workers || workers.queued) return null;
  return (
    <>
      {workers.remote === null && (
        <Field name="remote" label="Git remote" hint="ssh://git@example.com/shop.git" />
      )}
      {workers.branch === null && <Field name="branch" label="Branch" hint="main" />}
    </>
  );
}

function Field({ name, label, hint }: { name: string; label: string; hint: string }) {
  return (
    <label class="agent-choice">
      <span>{label}</span>
      <input
        value={typedFor(name)}
        placeholder={hint}
        onInput={(event) => {
          typed.value = { ...typed.value, [keyOf(name)]: event.currentTarget.value.trim() };
        }}
      />
    </label>
  );
}

/** The state of work that workers do; undefined if the hub does it. */
export function workersState({ workers, running }: TaskProgress): string | undefined {
  if (!workers) return undefined;
  if (!workers.queued) return 'The hub has no copy of this project, so a worker will run this.';
  if (workers.wait !== null) return `Queued: ${workers.wait}.`;
  return running ? 'Queued for workers, or in progress.' : undefined;
}
