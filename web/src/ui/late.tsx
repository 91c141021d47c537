/** A loading message that appears only after a noticeable delay. */
export function Late({ children }: { children: string }) {
  return (
    <p class="late" role="status">
      {children}
    </p>
  );
}
