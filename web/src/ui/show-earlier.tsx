/** Below a list, newest first, that goes on. */
export function ShowEarlier({ onShow }: { onShow(): void }) {
  return (
    <p class="rows-more">
      <button type="button" onClick={onShow}>
        Show earlier
      </button>
    </p>
  );
}
