import { useSignal } from '@preact/signals';
import { hub } from '../api/hub.ts';
import { hrefOf } from '../route.ts';
import { projects } from '../state/ledger.ts';
import { refresh } from '../state/reading.ts';
import { useAction } from '../state/use-action.ts';

export function Projects() {
  const root = useSignal('');
  const { problem, run } = useAction();
  const add = async () => {
    await hub.addProject(root.value.trim());
    root.value = '';
    await refresh();
  };
  return (
    <section>
      <h2>Projects</h2>
      <ul class="rows">
        {projects.value.map(({ id, name, root }) => (
          <li key={id}>
            <a href={hrefOf('board', id)}>
              <strong>{name}</strong>
              <span>{root ?? 'no folder known'}</span>
            </a>
          </li>
        ))}
      </ul>
      <form
        class="line-form"
        onSubmit={(event) => {
          event.preventDefault();
          void run(add);
        }}
      >
        <label for="root">Add a folder on the machine that runs the hub</label>
        <input
          id="root"
          type="text"
          value={root.value}
          onInput={(event) => (root.value = event.currentTarget.value)}
        />
        <button type="submit" disabled={root.value.trim() === ''}>
          Add
        </button>
      </form>
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </section>
  );
}
