import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Token, TokenInput } from '../../../src/schema/credential.ts';
import { hub } from '../api/hub.ts';
import { nameOf, projects } from '../state/ledger.ts';
import { useAction } from '../state/use-action.ts';
import { At } from '../ui/ago.tsx';

/** Who else may speak to the hub: programs with a token of their own. */
export function Tokens() {
  const tokens = useSignal<readonly Token[] | undefined>(undefined);
  const secret = useSignal<string | undefined>(undefined);
  const { problem, run } = useAction();
  const read = async () => {
    tokens.value = await hub.tokens();
  };
  useEffect(() => void run(read), []);
  return (
    <section>
      <h2>Tokens</h2>
      <p class="faint">For programs. An agent's token may ask and work on tasks, never answer.</p>
      {!tokens.value && !problem.value && <div class="loading" aria-busy="true" />}
      {tokens.value && tokens.value.length > 0 && (
        <ul class="rows tokens">
          {tokens.value.map(({ id, name, role, projectId, createdAt }) => (
            <li key={id}>
              <strong>{name}</strong>
              <span>{role === 'agent' ? 'agent' : 'person'}</span>
              <span>{projectId === null ? 'all projects' : nameOf(projectId)}</span>
              <At at={createdAt} />
              <button type="button" onClick={() => void run(() => hub.revokeToken(id).then(read))}>
                Revoke
              </button>
            </li>
          ))}
        </ul>
      )}
      <NewToken
        onMake={(input) =>
          void run(async () => {
            secret.value = (await hub.makeToken(input)).secret;
            await read();
          })
        }
      />
      {secret.value && (
        <p class="secret" role="status">
          Copy it now, it is shown only here and only once: <code class="command">{secret.value}</code>
        </p>
      )}
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </section>
  );
}

function NewToken({ onMake }: { onMake(input: TokenInput): void }) {
  const name = useSignal('');
  const role = useSignal<TokenInput['role']>('agent');
  const project = useSignal('');
  return (
    <form
      class="line-form"
      onSubmit={(event) => {
        event.preventDefault();
        const where = project.value === '' ? {} : { projectId: project.value };
        onMake({ name: name.value.trim(), role: role.value, ...where });
        name.value = '';
      }}
    >
      <label for="token-name">A name for a new token, whose it is, and what it may see</label>
      <input
        id="token-name"
        type="text"
        value={name.value}
        onInput={(event) => (name.value = event.currentTarget.value)}
      />
      <select
        aria-label="Whose token"
        value={role.value}
        onChange={(event) => (role.value = event.currentTarget.value === 'human' ? 'human' : 'agent')}
      >
        <option value="agent">an agent's</option>
        <option value="human">a person's</option>
      </select>
      <select
        aria-label="What it may see"
        value={project.value}
        onChange={(event) => (project.value = event.currentTarget.value)}
      >
        <option value="">all projects</option>
        {projects.value.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit" disabled={name.value.trim() === ''}>
        Make
      </button>
    </form>
  );
}
