import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Token, TokenInput } from '../../../src/schema/credential.ts';
import { hub } from '../api/hub.ts';
import { nameOf, projects } from '../state/ledger.ts';
import { useAction } from '../state/use-action.ts';
import { At } from '../ui/ago.tsx';
import { Revoke } from './revoke.tsx';

/** Who else may use the hub: programs with their own token. */
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
      <p class="faint">
        Programs sign in with tokens. With an agent's token they can ask and work on tasks, but never answer.
      </p>
      {!tokens.value && !problem.value && <div class="loading" aria-busy="true" />}
      {tokens.value && tokens.value.length > 0 && (
        <ul class="rows tokens">
          {tokens.value.map(({ id, name, role, projectId, createdAt }) => (
            <li key={id}>
              <strong id={id}>{name}</strong>
              <span>{role === 'agent' ? 'agent' : 'person'}</span>
              <span>{projectId === null ? 'all projects' : nameOf(projectId)}</span>
              <At at={createdAt} />
              <Revoke tokenId={id} onRevoke={() => void run(() => hub.revokeToken(id).then(read))} />
            </li>
          ))}
        </ul>
      )}
      <NewToken
        onMade={(made) => {
          secret.value = made;
          void run(read);
        }}
      />
      {secret.value && (
        <p class="secret" role="status">
          Copy the token now. It is shown only once: <code class="command">{secret.value}</code>
        </p>
      )}
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </section>
  );
}

function NewToken({ onMade }: { onMade(secret: string): void }) {
  const name = useSignal('');
  const role = useSignal<TokenInput['role']>('agent');
  const project = useSignal('');
  const { problem, busy, run } = useAction();
  const mayNot = () => busy.value || name.value.trim() === '';
  const make = async () => {
    const where = project.value === '' ? {} : { projectId: project.value };
    const { secret } = await hub.makeToken({ name: name.value.trim(), role: role.value, ...where });
    name.value = '';
    onMade(secret);
  };
  return (
    <form
      class="line-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!mayNot()) void run(make);
      }}
    >
      <label for="token-name">Name, owner and access of the new token</label>
      <input
        id="token-name"
        type="text"
        value={name.value}
        onInput={(event) => (name.value = event.currentTarget.value)}
      />
      <select
        aria-label="Owner"
        value={role.value}
        onChange={(event) => (role.value = event.currentTarget.value === 'human' ? 'human' : 'agent')}
      >
        <option value="agent">agent</option>
        <option value="human">person</option>
      </select>
      <select
        aria-label="Access"
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
      <button type="submit" disabled={mayNot()}>
        Create
      </button>
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </form>
  );
}
