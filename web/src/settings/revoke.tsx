import { useSignal } from '@preact/signals';

/**
 * Asks for confirmation, because programs with this token lose access at once. The first button keeps the focus, and a
 * second press cancels.
 */
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
