import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { messageOf } from '../api/error.ts';
import { hub } from '../api/hub.ts';
import type { Token } from '../api/shapes.ts';
import type { Loaded } from '../state/use-live.ts';
import { LoadedView } from '../ui/loaded-view.tsx';

/** Who may speak to the hub. */
export function Tokens() {
  const tokens = useSignal<Loaded<Token[]>>({ state: 'loading' });
  useEffect(() => {
    hub.tokens().then(
      (data) => (tokens.value = { state: 'loaded', data }),
      (error: unknown) => (tokens.value = { state: 'failed', problem: messageOf(error) }),
    );
  }, []);
  return (
    <section>
      <h2>Tokens</h2>
      <LoadedView value={tokens.value}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="faint">Only the hub's own token. It is in the file that only you can read.</p>
          ) : (
            <ul class="rows">
              {rows.map(({ id, name, role, projectId }) => (
                <li key={id}>
                  <strong>{name}</strong> <span>{role}</span> <span>{projectId ?? 'all projects'}</span>
                </li>
              ))}
            </ul>
          )
        }
      </LoadedView>
    </section>
  );
}
