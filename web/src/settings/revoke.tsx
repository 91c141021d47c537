import { useSignal } from '@preact/signals';

/** Asks once: whoever uses the token is shut out at once. The first button keeps the focus, and a second press takes it back. */
export function Revoke({ tokenId, onRevoke }: { tokenId: string; onRevoke(): void }) {
  const asked = useSignal(false);
  return (
    <span class="revoke">
      <button type="button" aria-describedby={tokenId} onClick={() => (asked.value = !asked.value)}>
        {asked.value ? 'Keep' : 'Revoke …'}
      </button>
      {asked.value && (
        <button type="button" aria-describedby={tokenId} onClick={onRevoke}>
          Revoke now
        </button>
      )}
    </span>
  );
}
