/** Below a list, newest first, that has more entries. */
export function ShowEarlier({ onShow }: { onShow(): void }) {
  return (
    <p class="rows-more">
      <button type="button" onClick={onShow}>
        Show earlier
      </button>
    </p>
  );
}
