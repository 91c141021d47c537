import { useSignal } from '@preact/signals';
import { logIn, session } from '../state/session.ts';
import { Command } from './empty.tsx';

export function SignIn() {
  const code = useSignal('');
  const { value } = session;
  return (
    <main class="sign-in" id="main">
      <svg class="empty-sign" viewBox="0 0 48 32" aria-hidden="true">
        <path d="M4 28a20 20 0 0 1 40 0" />
        <circle cx="24" cy="26" r="3" />
      </svg>
      <h1>Fermata</h1>
      <p>
        Open the login link that <Command>fermata serve</Command> printed. Each link works once.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void logIn(code.value);
        }}
      >
        <label for="code">
          Or paste the link or the token here. The token is in the file <code>token</code> in Fermata's home
          folder.
        </label>
        <input
          id="code"
          type="text"
          autocomplete="off"
          value={code.value}
          onInput={(event) => (code.value = event.currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={code.value.trim() === ''}>
          Sign in
        </button>
      </form>
      <p class="problem" role="alert">
        {value.state === 'signed-out' ? value.problem : undefined}
      </p>
    </main>
  );
}
